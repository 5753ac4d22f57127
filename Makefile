.PHONY: demo test lint bench notebooks nightly lock

demo test lint bench notebooks nightly lock:
	@python3 dev.py $@
