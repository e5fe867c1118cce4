"""`python -m app` is `vitral`."""

from app.cli import main

if __name__ == "__main__":
    main()
