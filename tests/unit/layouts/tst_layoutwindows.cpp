// SPDX-License-Identifier: GPL-3.0-or-later
// Rolling windows, with and without retry advice. The marks are those that the talk's own scripts
// left behind on a real server.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

constexpr qint64 now = 1795223350117;
const std::vector<qint64> recorded{1795223350020, 1795223350028, 1795223350044, 1795223350062,
                                   1795223350077};

Primitive window(const QByteArray& declaration = {}, const QByteArray& layout = "rolling-window")
{
    Primitive p;
    p.id = {layout, "w"};
    p.keys = {{"window", "w"}};
    if (layout == "rolling-window-retry")
        p.keys.push_back({"retry", "r"});
    if (!declaration.isEmpty())
        p.declaration =
            configOf("[[limiter]]\nkey=\"w\"\nlayout=\"" + layout + "\"\n" + declaration)
                .declarations.front();
    return p;
}

LimiterState limiterOf(const Result<State>& state)
{
    return state && state->as<LimiterState>() ? *state->as<LimiterState>() : LimiterState();
}

using Known = std::optional<qint64>;

} // namespace

class TestLayoutWindows : public QObject
{
    Q_OBJECT

private slots:
    void boundary_data();
    void boundary();
    void fullWindowTellsWhenTheNextPasses();
    void overTheLimitMoreThanOneHasToLeave();
    void withoutNumbersStoredMarksAreAnUpperBound();
    void theWindowIsInferredFromTheTtl();
    void otherUnits_data();
    void otherUnits();
    void nothingThereIsIdle();
    void largeSetsAreCountedNotRead();
    void aLargeSetWithoutDeclarationStaysHonest();
    void wrongTypeIsNamed();
    void deniedIsNamed();
    void missingRepliesAreRefused();
    void retryAdviceOfTheTalk();
    void unevenIntervalsAreInferred();
    void inferenceKeepsTheLargestLimit();
    void noReservationsNoNumbers();
    void aLongLineIsBad();
    void retryKeyAloneIsTheSamePrimitive();
    void oneClientsClockIsAhead();
    void pairNames_data();
    void pairNames();
    void infiniteScoresDoNotOverflow();
};

void TestLayoutWindows::boundary_data()
{
    QTest::addColumn<qint64>("mark");
    QTest::addColumn<qint64>("occupancy");
    // ZREMRANGEBYSCORE -inf now-1000 is inclusive: what is exactly a window old has left.
    QTest::newRow("exactly a window old") << now - 1000 << qint64(0);
    QTest::newRow("one millisecond younger") << now - 999 << qint64(1);
    QTest::newRow("now") << now << qint64(1);
    QTest::newRow("a little ahead") << now + 40 << qint64(1);
}

void TestLayoutWindows::boundary()
{
    QFETCH(qint64, mark);
    FakeKeys keys;
    keys.nowMs = now;
    keys.marks("w", {mark});
    const LimiterState l = limiterOf(keys.read(window("limit=5\nwindow=\"1s\"\n")));
    QFETCH(qint64, occupancy);
    QCOMPARE(l.occupancy, Known(occupancy));
    QCOMPARE(l.remaining, Known(5 - occupancy));
    QCOMPARE(l.nextFreeMs, Known(0));
    QCOMPARE(l.retryAfterMs, Known(0));
}

// Its requests are an hour ahead; by its name it is a limiter all the same.
void TestLayoutWindows::oneClientsClockIsAhead()
{
    FakeKeys keys;
    keys.nowMs = now;
    keys.marks("api:rate", {now - 500, now + 3'600'000});
    const auto found = keys.discover();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found.first().id.layout, QByteArray("rolling-window"));
    FakeKeys plans; // times ahead alone: what is to be done then
    plans.nowMs = now;
    plans.marks("api:rate", {now + 1'800'000, now + 3'600'000});
    QVERIFY(plans.discover().isEmpty());
}

void TestLayoutWindows::fullWindowTellsWhenTheNextPasses()
{
    FakeKeys keys;
    keys.marks("w", recorded);
    const auto state = keys.read(window("limit=5\nwindow=\"1s\"\n"));
    const LimiterState l = limiterOf(state);
    QCOMPARE(l.occupancy, Known(5));
    QCOMPARE(l.remaining, Known(0));
    QCOMPARE(l.nextFreeMs, Known(1795223350020 + 1000 - now));
    QCOMPARE(l.retryAfterMs, l.nextFreeMs);
    QCOMPARE(l.limitSource, Source::Declared);
    QCOMPARE(l.windowSource, Source::Declared);
    QCOMPARE(l.accepted, recorded);
    QVERIFY(!l.acceptedTruncated);
    QCOMPARE(state->health, Health::Warning);
    QCOMPARE(state->revisitAtMs, 1795223350020 + 1000);
    // Exactly then it is free.
    keys.nowMs = state->revisitAtMs;
    QCOMPARE(limiterOf(keys.read(window("limit=5\nwindow=\"1s\"\n"))).nextFreeMs, Known(0));
}

void TestLayoutWindows::overTheLimitMoreThanOneHasToLeave()
{
    FakeKeys keys;
    keys.marks("w", recorded);
    const LimiterState l = limiterOf(keys.read(window("limit=3\nwindow=\"1s\"\n")));
    QCOMPARE(l.occupancy, Known(5));
    QCOMPARE(l.remaining, Known(0));
    QCOMPARE(l.nextFreeMs, Known(1795223350044 + 1000 - now)); // the third oldest
}

void TestLayoutWindows::withoutNumbersStoredMarksAreAnUpperBound()
{
    FakeKeys keys;
    keys.marks("w", recorded);
    const auto state = keys.read(window());
    const LimiterState l = limiterOf(state);
    QCOMPARE(l.occupancy, Known(5));
    QVERIFY(l.occupancyIsUpperBound);
    QVERIFY(!l.limit && !l.remaining && !l.nextFreeMs && !l.windowMs && !l.retryAfterMs);
    QCOMPARE(l.limitSource, Source::Unknown);
    QCOMPARE(state->health, Health::Ok);
}

void TestLayoutWindows::theWindowIsInferredFromTheTtl()
{
    FakeKeys keys;
    keys.marks("w", recorded, 59962); // set to 60 s at the newest mark, 40 ms ago
    const auto state = keys.read(window());
    QCOMPARE(limiterOf(state).windowMs, Known(60000));
    QCOMPARE(limiterOf(state).windowSource, Source::Inferred);
    QCOMPARE(limiterOf(state).occupancy, Known(5));
    QVERIFY(!limiterOf(state).occupancyIsUpperBound);
    QVERIFY(!limiterOf(state).limit);
}

void TestLayoutWindows::otherUnits_data()
{
    QTest::addColumn<double>("factor");
    QTest::newRow("seconds") << 1e-3;
    QTest::newRow("microseconds") << 1e3;
    QTest::newRow("nanoseconds") << 1e6;
}

void TestLayoutWindows::otherUnits()
{
    QFETCH(double, factor);
    FakeKeys keys;
    for (const int count : {3, 40}) {
        std::vector<ScoredMember> members;
        for (int i = 0; i < count; ++i)
            members.push_back({QByteArray::number(i), double(now - 2000 + i * 1000) * factor});
        keys.zset("w", members);
        keys.nowMs = now + (count - 3) * 1000;
        const LimiterState l = limiterOf(keys.read(window("limit=2\nwindow=\"2s\"\n")));
        QCOMPARE(l.occupancy, Known(2)); // the third last is exactly a window old
        QCOMPARE(l.nextFreeMs, Known(1000));
    }
}

void TestLayoutWindows::nothingThereIsIdle()
{
    FakeKeys keys;
    const auto declared = keys.read(window("limit=5\nwindow=\"1s\"\n"));
    QVERIFY(declared && !declared->present);
    QCOMPARE(limiterOf(declared).occupancy, Known(0));
    QCOMPARE(limiterOf(declared).remaining, Known(5));
    QCOMPARE(limiterOf(declared).nextFreeMs, Known(0));
    QCOMPARE(declared->health, Health::Idle);
    const auto guessed = keys.read(window({}, "rolling-window-retry"));
    QVERIFY(guessed && !guessed->present);
    QCOMPARE(limiterOf(guessed).occupancy, Known(0));
    QVERIFY(!limiterOf(guessed).remaining);
}

void TestLayoutWindows::largeSetsAreCountedNotRead()
{
    FakeKeys keys;
    std::vector<qint64> times;
    for (int i = 0; i < 5000; ++i)
        times.push_back(now - 60'000 + i * 10); // the last 50 s of them are in the window
    keys.marks("w", times);
    const Primitive p = window("limit=1000\nwindow=\"50s\"\n");
    const LimiterState row = limiterOf(keys.read(p));
    QCOMPARE(row.occupancy, Known(3999));
    QVERIFY(!row.occupancyIsUpperBound);
    QCOMPARE(row.nextFreeMs, Known(times[4000] + 50'000 - now)); // the 1000th newest leaves
    QVERIFY(row.accepted.size() <= 16);
    const LimiterState detail = limiterOf(keys.read(p, Depth::Detail));
    QCOMPARE(detail.accepted.size(), size_t(512));
    QVERIFY(detail.acceptedTruncated);
    QCOMPARE(detail.accepted.back(), times.back());
}

void TestLayoutWindows::aLargeSetWithoutDeclarationStaysHonest()
{
    FakeKeys keys;
    std::vector<qint64> times;
    for (int i = 0; i < 100; ++i)
        times.push_back(now - 99 * 10 + i * 10);
    keys.marks("w", times, 995); // a window of 995 ms: all are inside
    LimiterState l = limiterOf(keys.read(window()));
    QCOMPARE(l.occupancy, Known(100));
    QVERIFY(!l.occupancyIsUpperBound);
    keys.marks("w", times, 500); // 500 ms: where it starts is not among the lowest that were read
    l = limiterOf(keys.read(window()));
    QVERIFY(l.occupancyIsUpperBound);
    QVERIFY(!l.remaining && !l.nextFreeMs);
}

void TestLayoutWindows::wrongTypeIsNamed()
{
    FakeKeys keys;
    keys.list("w", {"a"});
    const auto declared = keys.read(window("limit=5\n"));
    QVERIFY(!declared);
    QCOMPARE(declared.error().code, ErrorCode::WrongType);
    for (const char* word : {"w", "zset", "list"})
        QVERIFY2(declared.error().detail.contains(QLatin1String(word)),
                 qPrintable(declared.error().detail));
    const auto guessed = keys.read(window());
    QVERIFY(!guessed);
    QCOMPARE(guessed.error().code, ErrorCode::WrongType);
}

void TestLayoutWindows::deniedIsNamed()
{
    ReadRequest request;
    request.primitive = std::make_shared<Primitive>(window());
    PrimitiveRead read(request, now);
    const std::vector<Reply> replies{Reply::error("NOPERM this user has no permissions"),
                                     Reply::number(-1)};
    const auto outcome = read.take(replies, now);
    QVERIFY(outcome && outcome->state.problem);
    QCOMPARE(outcome->state.problem->code, ErrorCode::NoPerm);
    QVERIFY(outcome->state.problem->detail.startsWith(QLatin1Char('w')));
}

void TestLayoutWindows::missingRepliesAreRefused()
{
    for (const Layout* layout : allLayouts()) {
        ReadRequest request;
        request.primitive = std::make_shared<Primitive>(Primitive{layout->kind(),
                                                                  ProvenBy::Itself,
                                                                  false,
                                                                  1,
                                                                  {layout->id(), "k"},
                                                                  {{layout->mainRole(), "k"}},
                                                                  nullptr,
                                                                  {},
                                                                  {}});
        request.depth = Depth::Detail;
        request.large = true;
        const auto outcome = PrimitiveRead(request, now).take({}, now);
        QVERIFY(outcome && outcome->state.problem);
        QCOMPARE(outcome->state.problem->code, ErrorCode::Undecodable);
        // Whatever comes in their place is decoded to something, never out of bounds.
        PrimitiveRead read(request, now);
        std::optional<ReadOutcome> decoded;
        while (!decoded)
            decoded = read.take(std::vector<Reply>(read.commands().size()), now);
        QVERIFY(!decoded->state.problem);
    }
}

void TestLayoutWindows::retryAdviceOfTheTalk()
{
    FakeKeys keys;
    keys.nowMs = 1795223350235;
    keys.marks("api:rate",
               {1795223350138, 1795223350148, 1795223350156, 1795223350165, 1795223350173});
    keys.marks("api:retry", {1795223350381, 1795223350581, 1795223350781, 1795223350981});
    const auto found = keys.discover();
    QCOMPARE(found.size(), 1);
    const Primitive& api = found.first();
    QCOMPARE(api.id, (PrimitiveId{"rolling-window-retry", "api"}));
    QCOMPARE(api.keys, (std::vector<KeyRole>{{"window", "api:rate"}, {"retry", "api:retry"}}));
    const auto state = keys.read(api);
    const LimiterState l = limiterOf(state);
    QCOMPARE(l.retryAfterMs, Known(1795223350981 - keys.nowMs));
    QCOMPARE(l.reserved.size(), size_t(4));
    QCOMPARE(l.limit, Known(5)); // as the script has it
    QCOMPARE(l.windowMs, Known(1000));
    QCOMPARE(l.limitSource, Source::Inferred);
    QCOMPARE(l.occupancy, Known(5));
    QCOMPARE(l.nextFreeMs, Known(1795223350138 + 1000 - keys.nowMs));
    QCOMPARE(state->revisitAtMs, 1795223350381);
    // Past reservations are no line: the script trims them at the next call.
    keys.nowMs = 1795223350600;
    QCOMPARE(limiterOf(keys.read(api)).reserved.size(), size_t(2));
    keys.nowMs = 1795223350981;
    QCOMPARE(limiterOf(keys.read(api)).retryAfterMs, Known(0));
}

void TestLayoutWindows::unevenIntervalsAreInferred()
{
    FakeKeys keys;
    keys.nowMs = 1795223350318;
    keys.marks("slow:rate", {1795223350248, 1795223350254, 1795223350264});
    std::vector<ScoredMember> retry;
    for (const double t : {1795223350604.3333, 1795223350937.6665, 1795223351270.9998,
                           1795223351604.333, 1795223351937.6663})
        retry.push_back({QByteArray::number(t, 'f', 4), t});
    keys.zset("slow:retry", retry);
    const LimiterState l = limiterOf(keys.read(keys.discover().first()));
    QCOMPARE(l.limit, Known(3));
    QCOMPARE(l.windowMs, Known(1000));
    QCOMPARE(l.retryAfterMs,
             Known(1620)); // the script itself told the last caller 1631 some ms before
}

void TestLayoutWindows::inferenceKeepsTheLargestLimit()
{
    FakeKeys keys;
    keys.marks("w", recorded);
    keys.marks("r", {now + 200, now + 400});
    const Primitive p = window({}, "rolling-window-retry");
    const auto full = keys.read(p);
    QCOMPARE(limiterOf(full).limit, Known(5));
    keys.marks("w", {recorded[3], recorded[4]});
    const LimiterState later = limiterOf(keys.read(p, Depth::Summary, &*full));
    QCOMPARE(later.limit, Known(5));
    QCOMPARE(later.windowMs, Known(1000));
    QCOMPARE(later.remaining, Known(3));
    // Also if no client waits any more.
    keys.remove("r");
    QCOMPARE(limiterOf(keys.read(p, Depth::Summary, &*full)).limit, Known(5));
}

void TestLayoutWindows::noReservationsNoNumbers()
{
    FakeKeys keys;
    keys.marks("w", recorded);
    const Primitive p = window({}, "rolling-window-retry");
    QVERIFY(!limiterOf(keys.read(p)).limit);
    keys.marks("r", {now + 200}); // one says nothing about the distance
    QVERIFY(!limiterOf(keys.read(p)).limit);
    keys.marks("r", {now + 200, now + 300, now + 700}); // no common distance
    QVERIFY(!limiterOf(keys.read(p)).limit);
    keys.marks("r", {now + 5, now + 10}); // a window of 25 ms could not hold these marks
    QVERIFY(!limiterOf(keys.read(p)).limit);
    QCOMPARE(limiterOf(keys.read(p)).retryAfterMs, Known(10));
}

void TestLayoutWindows::aLongLineIsBad()
{
    FakeKeys keys;
    keys.marks("w", recorded);
    std::vector<qint64> line;
    for (int i = 1; i <= 60; ++i)
        line.push_back(now + i * 200);
    keys.marks("r", line);
    const auto state = keys.read(window("limit=5\nwindow=\"1s\"\n", "rolling-window-retry"));
    QCOMPARE(limiterOf(state).retryAfterMs, Known(12'000));
    QCOMPARE(limiterOf(state).reserved.size(), size_t(60));
    QCOMPARE(state->health, Health::Error);
}

void TestLayoutWindows::retryKeyAloneIsTheSamePrimitive()
{
    FakeKeys keys;
    keys.marks("api:retry", {now + 200, now + 400});
    const auto found = keys.discover();
    QCOMPARE(found.first().id, (PrimitiveId{"rolling-window-retry", "api"}));
    const auto state = keys.read(found.first());
    QVERIFY(state && state->present);
    QCOMPARE(limiterOf(state).occupancy, Known(0));
    QCOMPARE(limiterOf(state).retryAfterMs, Known(400));
}

void TestLayoutWindows::pairNames_data()
{
    QTest::addColumn<QByteArray>("window");
    QTest::addColumn<QByteArray>("retry");
    QTest::addColumn<QByteArray>("name");
    const auto row = [](const char* window, const char* retry, const char* name) {
        QTest::newRow(window) << QByteArray(window) << QByteArray(retry) << QByteArray(name);
    };
    row("api:rate", "api:retry", "api");
    row("api_rate", "api_retry", "api");
    row("rate:api", "retry:api", "api");
    row("rate:user:7", "retry:user:7", "user:7");
    row("rateKey", "retryKey", "rateKey");
    row("apiRate", "apiRetry", "api");
    row("api:window", "api:future", "api");
    row("API-RATE", "API-RETRY", "API");
    row("{api}:rate", "{api}:retry", "{api}");
    row("rate", "retry", "rate");
    row("myresource", "myresource:retry", "myresource");
    row("api:rate2", "api:rate2:retry", "api:rate2");
}

void TestLayoutWindows::pairNames()
{
    QFETCH(QByteArray, window);
    QFETCH(QByteArray, retry);
    FakeKeys keys;
    keys.marks(window, recorded);
    keys.marks(retry, {now + 200});
    const auto byRetry = keys.classify(retry);
    QVERIFY(byRetry);
    QTEST(byRetry->primitive.id.name, "name");
    QCOMPARE(byRetry->primitive.key("window"), window);
    QCOMPARE(byRetry->primitive.key("retry"), retry);
    // The window's own claim is the same, or less sure, so that the pair takes the key over.
    const auto byWindow = keys.classify(window);
    QVERIFY(byWindow);
    if (byWindow->primitive.id != byRetry->primitive.id)
        QVERIFY(byWindow->primitive.confidence < byRetry->primitive.confidence);
    // Declaring the pair does not change its name.
    const Classifier declared(configOf("[[limiter]]\nkey=\"" + window +
                                       "\"\nlayout=\"rolling-window-retry\"\nretry=\"" + retry +
                                       "\"\n"));
    QTEST(keys.classify(window, declared)->primitive.id.name, "name");
    QTEST(keys.classify(retry, declared)->primitive.id.name, "name");
}

void TestLayoutWindows::infiniteScoresDoNotOverflow()
{
    FakeKeys keys;
    keys.zset("w", {{"a", -qInf()}, {"b", qInf()}, {"c", 1e300}, {"d", double(now)}});
    const LimiterState l = limiterOf(keys.read(window("limit=1\nwindow=\"1s\"\n")));
    QCOMPARE(l.occupancy, Known(3));
    QVERIFY(l.nextFreeMs && *l.nextFreeMs > 0);
    QVERIFY(keys.read(window()));
}

LK_TEST(TestLayoutWindows);
#include "tst_layoutwindows.moc"
