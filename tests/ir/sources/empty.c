typedef int nothing_is_defined_here;
