"""The tools that come with the program, one file a subject."""

from __future__ import annotations

from tools.toolbox import Toolbox


def demo_toolbox() -> Toolbox:
    """All of them, in the order in which models see them: new ones come last, so that what a
    provider has cached stays good."""
    from tools.demo.calculator import calculate
    from tools.demo.file_changes import delete_file, write_file
    from tools.demo.files import list_files, read_file, search_text
    from tools.demo.measurements import lookup_demo_value, save_measurement
    from tools.demo.orders import get_order, list_orders, update_order_status
    from tools.demo.routines import create_routine

    return Toolbox(
        [
            lookup_demo_value,
            calculate,
            list_files,
            read_file,
            search_text,
            save_measurement,
            create_routine,
            get_order,
            list_orders,
            update_order_status,
            write_file,
            delete_file,
        ]
    )
