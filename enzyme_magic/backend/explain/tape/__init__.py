"""What the gradient keeps for its reverse sweep: the plan in words and formulas, its size in numbers, alternatives, and what a
call measured.
"""
