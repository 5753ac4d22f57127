.PHONY: demo test lint bench notebooks classroom nightly lock

demo test lint bench notebooks classroom nightly lock:
	@python3 dev.py $@
