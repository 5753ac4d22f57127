"""What each picture says: one file a picture, from the report alone."""
