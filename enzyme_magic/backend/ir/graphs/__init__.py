"""Graphs of a program: control flow and dominators, loops, uses, calls, strongly connected components. They know IR and nothing
of derivatives.
"""
