RenderThread;glTexSubImage2D;[kernel.kallsyms][+ffffff82a2f54530] 250000
RenderThread;libhwui.so[+];libhwui.so[+29c3f0];libhwui.so[+29c3f0];glTexSubImage2D;perf.data_jit_app_cache:16-32[+9cdfffa4];*libGLESv2_adreno.so[+278104];libGLESv2_adreno.so[+29c3f0] 250000
