"""The parts behind `enzyme_magic.magics`: options, namespace, cards and completion. Only magics.py imports them."""
