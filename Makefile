.PHONY: demo test lint bench notebooks docs classroom nightly lock

demo test lint bench notebooks docs classroom nightly lock:
	@python3 dev.py $@
