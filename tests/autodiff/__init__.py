"""The engine against finite differences, against itself and against forward mode."""
