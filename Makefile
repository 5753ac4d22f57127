.PHONY: demo test lint bench nightly lock

demo test lint bench nightly lock:
	@python3 dev.py $@
