# The course in a container: docker build -t enzyme_magic . && docker run -p 8888:8888 enzyme_magic
FROM python:3.11-slim
RUN useradd --create-home learner
COPY --chown=learner . /home/learner/enzyme_magic
WORKDIR /home/learner/enzyme_magic
RUN pip install --no-cache-dir '.[course]'
USER learner
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--port=8888", "--no-browser", "notebooks/00_start_here.ipynb"]
