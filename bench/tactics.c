/* The yardstick of the game Tactics: uniform random games in plain C, to measure the Python engine by.
 *
 *     gcc -O3 -march=native -o tactics bench/tactics.c
 *     ./tactics BOOK.bin STARTS.bin GAMES SEED OUT.bin [SECONDS]
 *
 * BOOK.bin is one BOOK record, STARTS.bin any number of POSITION records (src/sandtable/games/tactics/layout.py,
 * little endian). Game g begins at start g modulo their number, with seed SEED + g, and is played until it is over;
 * the whole legal list is written out at every decision and one entry of it is drawn. The final positions go to
 * OUT.bin (`-`: nowhere) and must equal those of the Python engine byte for byte. With SECONDS the round of GAMES
 * games is repeated until that much time has gone by. One line of JSON reports how fast it went.
 *
 * The same algorithm as the engine, written as a C programmer would: a scan of the mailbox board, no bitboards.
 * Clause numbers are those of RULES.md.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OPENING, CHOOSE, DEPLOY, ROLL, ACT, OVER };                            /* phases */
enum { ATTACK = 1, DEFEND, PLACE, READY, MOVE, CAPTURE, END };                /* kinds of action */
enum { BY_GUARD = 1, BY_QUIET = 3 };                                          /* reasons why it is over */
#define CHOICES 0x80000000u /* choices are drawn from here on, dice from 0 on */
enum { GUARD = 8, BORDER = 31, MOVED = 32, NOBODY = 2 };
enum { LONGEST_LIST = 1 + 64 * 8 * 2 + 1 };       /* end, more than any board allows, and the one overwritten */

typedef struct __attribute__((packed)) {
    uint8_t army[8], takes[8][8];
    uint16_t draw_after;
    uint8_t straight, diagonal, home_ranks, reserve_guard_squares, initial_charge, pad;
} Book;

typedef struct __attribute__((packed)) {
    uint8_t cell[100];      /* rank * 10 + file; 0 empty, class 1..8 White, 8 + class Black, 31 border */
    uint8_t left[2][8];
    uint16_t turn, quiet;
    uint8_t phase, mover, attacker, points, charge, die[2], ready[2], reason, winner, pad;
} Position;

typedef struct {
    uint8_t kind, marks;
    uint16_t what;
    int32_t at, to, arg;
} Action;

_Static_assert(sizeof(Book) == 80 && sizeof(Position) == 132 && sizeof(Action) == 16, "records as in layout.py");

/* N, E, S, W, then the diagonals NE, SE, SW, NW: the order of the list. */
static const int STEP[8] = {10, 1, -10, -1, 11, -9, -11, 9};

/* Philox2x32-10 (Salmon et al. 2011): the n-th 63-bit number of a seed. */
static inline uint64_t draw(uint64_t seed, uint64_t n)
{
    uint32_t left = (uint32_t)n, right = (uint32_t)(seed >> 32), key = (uint32_t)seed;
    for (int round = 0; round < 10; round++, key += 0x9E3779B9u) {
        uint64_t product = (uint64_t)left * 0xD256D193u;
        left = (uint32_t)(product >> 32) ^ key ^ right;
        right = (uint32_t)product;
    }
    return ((uint64_t)left << 32 | right) >> 1;
}

static inline int below(uint64_t number, int limit)
{
    return (int)((number >> 31) * (uint64_t)limit >> 32);
}

/* Is this cell a piece of `side`? Pieces that have moved carry bit 32 and are not. */
static inline int is_piece_of(int cell, int side)
{
    return (unsigned)(cell - 1 - 8 * side) < 8;
}

/* What going onto a cell would be: MOVE, CAPTURE, or 0 where it is not allowed (T3.3, T4). Without branches: on a
 * random board they would be guessed wrong so often that the whole program ran at two thirds of its speed. */
static inline int kind_onto(const uint8_t *takes, int cell, int other)
{
    const unsigned target = (unsigned)(cell - 1 - 8 * other);
    return (cell == 0) * MOVE + ((target < 8) & takes[target & 7]) * CAPTURE;
}

/* Every legal action of the mover, in the order of the Python list. */
static int list_actions(const Book *book, const Position *restrict p, Action *restrict list)
{
    if (p->phase == CHOOSE) {
        list[0] = (Action){.kind = ATTACK};
        list[1] = (Action){.kind = DEFEND};
        return 2;
    }
    const int side = p->mover, other = 1 - side, points = p->points, charge = p->charge;
    const int straight = book->straight, diagonal = book->diagonal;
    /* The directions that can be paid, of one step and, in a charge (T5.1), of two. */
    const int first = points >= straight ? 0 : 4, last = points >= diagonal ? 8 : 4;
    const int first_far = points >= 2 * straight ? 0 : 4, last_far = !charge ? 0 : points >= 2 * diagonal ? 8 : 4;
    int mine[64], pieces = 0, n = 0;
    for (int rank = 10; rank <= 80; rank += 10)
        for (int at = rank + 1; at <= rank + 8; at++) {
            mine[pieces] = at;
            pieces += is_piece_of(p->cell[at], side);
        }
    list[n++] = (Action){.kind = END};
    for (int i = 0; i < pieces; i++) {
        const int at = mine[i];
        const uint8_t *takes = book->takes[p->cell[at] - 1 - 8 * side];
        for (int d = first; d < last; d++) {
            const int to = at + STEP[d], kind = kind_onto(takes, p->cell[to], other);
            list[n] = (Action){.kind = kind, .at = at, .to = to};         /* stays if legal, else is overwritten */
            n += kind != 0;
            if (kind == MOVE && d >= first_far && d < last_far) {                               /* T5.3 */
                const int far = to + STEP[d], far_kind = kind_onto(takes, p->cell[far], other);
                list[n] = (Action){.kind = far_kind, .at = at, .to = far};
                n += far_kind != 0;
            }
        }
    }
    return n;
}

/* Can any move still be paid? One-square moves decide it: a charge passes over a cell that could be its end. */
static int can_move(const Book *book, const Position *p)
{
    const int side = p->mover, other = 1 - side;
    const int first = p->points >= book->straight ? 0 : 4, last = p->points >= book->diagonal ? 8 : 4;
    if (first >= last)
        return 0;
    for (int rank = 10; rank <= 80; rank += 10)
        for (int at = rank + 1; at <= rank + 8; at++) {
            const int piece = p->cell[at];
            if (!is_piece_of(piece, side))
                continue;
            const uint8_t *takes = book->takes[piece - 1 - 8 * side];
            for (int d = first; d < last; d++)
                if (kind_onto(takes, p->cell[at + STEP[d]], other))
                    return 1;
        }
    return 0;
}

/* What belongs to one turn goes. */
static void clear_turn(Position *p)
{
    for (int at = 0; at < 100; at++)
        p->cell[at] &= (uint8_t)~MOVED;
    p->points = p->charge = p->die[0] = p->die[1] = 0;
}

static void finish(Position *p, int reason, int winner)
{
    clear_turn(p);
    p->phase = OVER;
    p->mover = 0;
    p->reason = reason;
    p->winner = winner;
}

static void end_turn(const Book *book, Position *p)
{
    clear_turn(p);
    if (p->quiet >= book->draw_after) {                                                         /* T6.2 */
        finish(p, BY_QUIET, NOBODY);
    } else {
        p->mover = 1 - p->mover;
        p->phase = ROLL;
    }
}

static void roll(const Book *book, Position *p, int outcome)
{
    const int one = outcome / 6 + 1, two = outcome % 6 + 1;
    p->die[0] = one;
    p->die[1] = two;
    if (p->phase == OPENING) {                                                                  /* T2.1 */
        if (one != two) {
            p->mover = two > one;
            p->phase = CHOOSE;
        }
        return;
    }
    p->turn++;
    p->quiet++;
    p->charge = one == two || (p->turn <= 2 && book->initial_charge);                           /* T5.1, T5.2 */
    p->points = (one + two) << p->charge;
    p->phase = ACT;
    if (!can_move(book, p))                                                                     /* T3.4 */
        end_turn(book, p);
}

static void apply(const Book *book, Position *p, const Action *action)
{
    if (action->kind == ATTACK || action->kind == DEFEND) {     /* the starts have their armies placed: no DEPLOY */
        p->attacker = action->kind == ATTACK ? p->mover : 1 - p->mover;
        p->mover = p->attacker;
        p->die[0] = p->die[1] = 0;
        p->phase = ROLL;
        return;
    }
    if (action->kind == END) {
        end_turn(book, p);
        return;
    }
    const int distance = abs(action->to - action->at);
    const int straight = distance == 1 || distance == 10, two_straight = distance == 2 || distance == 20;
    const int steps = straight || distance == 9 || distance == 11 ? 1 : 2;
    const int target = p->cell[action->to];
    p->points -= steps * (straight || two_straight ? book->straight : book->diagonal);
    p->cell[action->to] = p->cell[action->at] | MOVED;
    p->cell[action->at] = 0;
    if (action->kind == CAPTURE) {
        p->quiet = 0;
        if (target == GUARD + 8 * (1 - p->mover)) {                                             /* T6.1 */
            finish(p, BY_GUARD, p->mover);
            return;
        }
    }
    if (!can_move(book, p))                                                                     /* T3.4 */
        end_turn(book, p);
}

static void play(const Book *book, Position *p, uint64_t seed, uint64_t *decisions, uint64_t *rolls)
{
    Action list[LONGEST_LIST];
    uint64_t chosen = 0, rolled = 0;
    while (p->phase != OVER) {
        if (p->phase == OPENING || p->phase == ROLL) {
            roll(book, p, below(draw(seed, rolled++), 36));
        } else {
            const int n = list_actions(book, p, list);
            apply(book, p, &list[below(draw(seed, CHOICES + chosen++), n)]);
        }
    }
    *rolls += rolled;
    *decisions += chosen;
}

static void refuse(const char *path, const char *why)
{
    fprintf(stderr, "tactics: %s: %s\n", path, why);
    exit(2);
}

static void *read_records(const char *path, size_t size, size_t *count)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        refuse(path, "cannot be read");
    const long length = ftell(file);
    if (length <= 0 || length % (long)size)
        refuse(path, "expected whole records of the layout");
    void *records = malloc((size_t)length);
    rewind(file);
    if (!records || fread(records, 1, (size_t)length, file) != (size_t)length)
        refuse(path, "cannot be read");
    fclose(file);
    *count = (size_t)length / size;
    return records;
}

/* The loops above trust their records; a wrong byte in the file must not lead them off the board. */
static int is_playable(const Position *p)
{
    for (int at = 0; at < 100; at++) {
        const int file = at % 10, on_board = at >= 10 && at < 90 && file >= 1 && file <= 8;
        if (on_board ? (p->cell[at] & ~MOVED) > 16 || p->cell[at] == MOVED : p->cell[at] != BORDER)
            return 0;
    }
    for (int k = 0; k < 16; k++)
        if (p->left[k / 8][k % 8])
            return 0;
    return p->phase <= OVER && p->phase != DEPLOY && (p->mover < 2 || p->phase == OPENING) && p->charge < 2;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int given, char **words)
{
    if (given != 6 && given != 7) {
        fprintf(stderr, "usage: tactics BOOK.bin STARTS.bin GAMES SEED OUT.bin [SECONDS]\n");
        return 2;
    }
    size_t books, starts;
    const Book *book = read_records(words[1], sizeof(Book), &books);
    const Position *start = read_records(words[2], sizeof(Position), &starts);
    const long games = atol(words[3]);
    const uint64_t seed = strtoull(words[4], NULL, 10);
    const double enough = given == 7 ? atof(words[6]) : 0;
    if (books != 1)
        refuse(words[1], "expected one BOOK record");
    for (size_t i = 0; i < starts; i++)
        if (!is_playable(&start[i]))
            refuse(words[2], "expected positions with both armies placed");
    if (games < 1)
        refuse(words[3], "expected the number of games, at least 1");
    Position *final = calloc((size_t)games, sizeof(Position));
    if (!final)
        refuse(words[3], "too many games to keep");

    uint64_t decisions = 0, rolls = 0, played = 0;
    double seconds;
    const double begun = now();
    do {
        for (long g = 0; g < games; g++) {
            Position p = start[(size_t)g % starts];
            play(book, &p, seed + (uint64_t)g, &decisions, &rolls);
            final[g] = p;
        }
        played += (uint64_t)games;
        seconds = now() - begun;
    } while (seconds < enough);

    if (strcmp(words[5], "-")) {
        FILE *file = fopen(words[5], "wb");
        if (!file || fwrite(final, sizeof(Position), (size_t)games, file) != (size_t)games || fclose(file))
            refuse(words[5], "cannot be written");
    }
    printf("{\"games\": %llu, \"decisions\": %llu, \"rolls\": %llu, \"seconds\": %.6f, \"decisions_per_s\": %.0f}\n",
           (unsigned long long)played, (unsigned long long)decisions, (unsigned long long)rolls, seconds,
           (double)decisions / seconds);
    free((void *)book);
    free((void *)start);
    free(final);
    return 0;
}
