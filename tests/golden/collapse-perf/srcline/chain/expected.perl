wader;main:main.c:7;[libreed.so.2]:libreed.so.2;open_shell:shell.c:40;beak:beak.c:12 250000
