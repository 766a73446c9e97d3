:-1____-1_[001]___101.500001:;exit_mmap 100
:4242;entry_SYSCALL_64_after_hwframe;exit_mmap 200
:4242;fork 100
:4244;exit_mmap 100
oven;main;bake 100
sh;fork 100
