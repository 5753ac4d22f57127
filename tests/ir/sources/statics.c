static const double weights[4][3] = {{1, 0.1, 3}, {1e300, -0.0, 5e-324}, {0}, {7, 8, 9.25}};
static float ramp[8] = {0.1f, 0.2f, 0.3f};
static double state;
static int calls = 3;
const char *const names[] = {"alpha", "beta\n", "g\x01\xff\"\\", 0};
struct entry { const char *name; double value; const struct entry *next; const double *row; };
static const struct entry tail = {"tail", 1.5, 0, &weights[3][1]};
const struct entry head = {"head", -2.5, &tail, weights[1] + 2};
const void *const self = &self;
long distance = sizeof(struct entry);
double step(int i, double x) {
    static double history[16];
    calls++;
    history[calls & 15] = x;
    state = state * weights[i & 3][calls % 3] + ramp[i & 7];
    return state + head.next->value + *head.row;
}
extern double imported[];
extern int weak_one __attribute__((weak));
__attribute__((visibility("hidden"))) int hidden_one = 5;
__attribute__((section(".special"), aligned(64))) int placed = 6;
int sum(void) { return (&weak_one ? weak_one : 0) + hidden_one + placed + (int)imported[2]; }
