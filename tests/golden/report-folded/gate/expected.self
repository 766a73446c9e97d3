Total before 100400, after 101900, event cpu-clock; 1004 and 1019 samples, as the input says; * is significant at 99 %.

Limits:
over the limit: self 39.84 % -> 54.96 %, +15.12 points (limit 2 points, p <0.001): read
with 1004 and 1019 samples, growth of less than 6.13 points may be noise: read

What has changed most, by self:
before      %  after      %  points  times         p  name
 40000  39.84  56000  54.96  +15.12  x1.38  <0.001 *  read

What has changed most, by total:
before      %  after      %  points  times         p  name
 40000  39.84  56000  54.96  +15.12  x1.38  <0.001 *  read
