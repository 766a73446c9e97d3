/* Small profiles whose shares can be checked by head. */

/* 1,000 samples: main 900 (parse 600 (read 150, lex 400), print 300), idle 100. */
export const simple = `main;parse 50
main;parse;read 150
main;parse;lex 400
main;print 300
idle 100
`;

/* 100 samples: walk is nested in walk (60), and once by itself (10). */
export const nested = `start;walk 10
start;walk;walk;walk 20
start;walk;visit 30
other;walk 10
other 30
`;

/* 1,000 samples; tiny is too narrow for a label until it is zoomed into. */
export const narrow = `main 994
main;tiny;inner_function 5
main;tiny 1
`;
