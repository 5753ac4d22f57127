"""Which bytes an access touches, which pointers may meet, and what is still there later. Answers are certain or "may"."""
