"""Vitral's program: the agent, its screens and its commands."""
