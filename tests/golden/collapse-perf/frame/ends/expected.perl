app 100
app;0 100
app;main 300
app;main;  100
app;main;[app <1010>] 100
app;main;h 100
app;main;i 100
app;main;j+0x 100
app;main;k 100
