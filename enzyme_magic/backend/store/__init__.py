"""What is kept on disk and in pickles: records, keys, and programs as text. What belongs into a key is decided here, how code is
made is not.
"""
