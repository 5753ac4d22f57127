"""Object code: made from a module for a processor, read as ELF, kept loaded in this process."""
