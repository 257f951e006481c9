// SPDX-License-Identifier: GPL-3.0-or-later
// The rate limiters that layout files describe: keys as each library writes them are detected as
// that library's and counted as it counts them, and no value is reported that no key contains.
#include "tests/support/siblingsof.h"
#include "tests/support/testprogram.h"
#include "tests/unit/bucketlimiterrows.h"
#include "tests/unit/marklimiterrows.h"
#include "tests/unit/windowlimiterrows.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace lk;
using namespace lk::test;

namespace {

const std::vector<Row>& rows()
{
    static const std::vector<Row> all = [] {
        std::vector<Row> joined = windowLimiters();
        for (const auto& more : {markLimiters(), bucketLimiters()})
            joined.insert(joined.end(), more.begin(), more.end());
        return joined;
    }();
    return all;
}

} // namespace

class TestLimiterFiles : public QObject
{
    Q_OBJECT

private slots:
    void areDetectedAndCounted_data()
    {
        QTest::addColumn<int>("index");
        for (size_t i = 0; i < rows().size(); ++i)
            QTest::newRow(rows()[i].title) << int(i);
    }
    void areDetectedAndCounted();
    void everyFileHasARow();
    void theNextWindowHasAnotherName();
    void aResetTakesAllKeysThatCount_data();
    void aResetTakesAllKeysThatCount();
    void namesOfOthersAreLetGoQuickly();
};

void TestLimiterFiles::areDetectedAndCounted()
{
    QFETCH(int, index);
    const Row& row = rows()[size_t(index)];
    FakeKeys keys;
    row.write(keys);
    const auto found = keys.discover();
    const auto isFile = [](const Primitive& p) {
        return p.kind == Kind::Limiter &&
               QFile::exists(
                   QStringLiteral(":/layouts/%1.toml").arg(QString::fromLatin1(p.id.layout)));
    };
    if (row.layout.isEmpty()) {
        for (const Primitive& primitive : found)
            QVERIFY2(!isFile(primitive), primitive.id.layout.constData());
        return;
    }
    QByteArray all = found.keys().join(", ");
    QVERIFY2(found.contains(row.layout + ' ' + row.name), all.constData());
    const Primitive primitive = found.value(row.layout + ' ' + row.name);
    for (const Primitive& other : found)
        QVERIFY2(!isFile(other) || other.id == primitive.id, all.constData());
    const Result<State> state = keys.read(primitive);
    QVERIFY2(state && !state->problem, state ? "" : qPrintable(state.error().detail));
    QVERIFY(state->present);
    const LimiterState limiter = *state->as<LimiterState>();
    QCOMPARE(limiter.occupancy, row.used);
    QCOMPARE(limiter.limit, row.limit);
    QCOMPARE(limiter.windowMs, row.window);
    if (row.remaining)
        QCOMPARE(limiter.remaining, row.remaining);
    if (row.nextFree)
        QCOMPARE(limiter.nextFreeMs, row.nextFree);
    QCOMPARE(limiter.limitSource == Source::Unknown, !row.limit.has_value());
    QCOMPARE(limiter.windowSource == Source::Unknown, !row.window.has_value());
}

void TestLimiterFiles::everyFileHasARow()
{
    for (const Layout* layout : allLayouts()) {
        const bool fromFile = QFile::exists(
            QStringLiteral(":/layouts/%1.toml").arg(QString::fromLatin1(layout->id())));
        const bool tested = std::any_of(rows().begin(), rows().end(),
                                        [&](const Row& r) { return r.layout == layout->id(); });
        // Possible limiters are never detected.
        const bool possible =
            layout->id() == "pyrate-limiter" || layout->id() == "gcra-milliseconds" ||
            (layout->id().startsWith("numbered-") && layout->id().endsWith("-long"));
        const bool twin = layout->id() == "litellm-tokens" || layout->id() == "stripe-token-bucket";
        if (fromFile && layout->kind() == Kind::Limiter)
            QVERIFY2(tested || possible || twin, layout->id().constData());
    }
}

// Where the number of the window is in the name, the next window's key is read without a scan.
void TestLimiterFiles::theNextWindowHasAnotherName()
{
    FakeKeys keys;
    keys.string("rack::attack:" + bucket + ":logins/ip:10.0.0.7", "4", left + 1000);
    const Primitive primitive = keys.discover().first();
    const Result<State> first = keys.read(primitive);
    QCOMPARE(first->as<LimiterState>()->occupancy, Known(4));
    keys.remove("rack::attack:" + bucket + ":logins/ip:10.0.0.7");
    keys.string("rack::attack:" + QByteArray::number(now / minute + 1) + ":logins/ip:10.0.0.7", "1",
                minute);
    keys.nowMs += left + 10;
    const Result<State> second = keys.read(primitive, Depth::Summary, &*first);
    QCOMPARE(second->as<LimiterState>()->occupancy, Known(1));
    QCOMPARE(second->as<LimiterState>()->windowMs, Known(minute));
}

void TestLimiterFiles::aResetTakesAllKeysThatCount_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QByteArrayList>("keys");
    const QByteArray before = QByteArray::number(now / minute - 1);
    const auto row = [](const char* title, QByteArrayList keys) {
        QTest::newRow(title) << QByteArray(title) << std::move(keys);
    };
    row("Laravel", {"laravel_cache:9f86d081884c7d65", "laravel_cache:9f86d081884c7d65:timer"});
    row("NestJS, blocked", {nest + ":hits", nest + ":blocked"});
    row("Tyk, blocked", {"rate-limit-5f2c", "rate-limit-5f2c.BLOCKED"});
    row("upstash, sliding window",
        {"@upstash/ratelimit:u7:" + bucket, "@upstash/ratelimit:u7:" + before});
    row("upstash, fixed window, dynamic limit", {"@upstash/ratelimit:u7:" + bucket});
    row("limits, sliding counter",
        {"LIMITS:{LIMITER/u7/10/1/minute}", "LIMITS:{LIMITER/u7/10/1/minute}/-1"});
    row(".NET concurrency", {"rl:u7", "rl:u7:q"});
}

void TestLimiterFiles::aResetTakesAllKeysThatCount()
{
    QFETCH(QByteArray, row);
    const auto made =
        std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return row == r.title; });
    QVERIFY(made != rows().end());
    FakeKeys keys;
    made->write(keys);
    const Primitive primitive = keys.discover().value(made->layout + ' ' + made->name);
    const Result<State> state = keys.read(primitive);
    QVERIFY(state);
    const auto counting = findLayout(made->layout)->countingKeys(*state, now);
    QTEST(QByteArrayList(counting.begin(), counting.end()), "keys");
}

// Each key of a server is held against every pattern, twice: what that takes is said, not judged.
void TestLimiterFiles::namesOfOthersAreLetGoQuickly()
{
    constexpr int count = 20'000;
    std::vector<QByteArray> names;
    for (int i = 0; i < count; ++i)
        names.push_back("session:" + QByteArray::number(i * 7919) + ":profile:v2");
    std::vector<const Layout*> files;
    for (const Layout* layout : allLayouts()) {
        if (!layout->origin().family.isEmpty())
            files.push_back(layout);
    }
    qsizetype asked = 0;
    QElapsedTimer timer;
    timer.start();
    for (const QByteArray& name : names) {
        for (const Layout* layout : files)
            asked += qsizetype(siblingsOf(*layout, name, KeyType::String).size());
    }
    qInfo("%zu layout files: %lld ns a key", files.size(), timer.nsecsElapsed() / count);
    QCOMPARE(asked, 0); // no command for keys of no layout
}

LK_TEST(TestLimiterFiles);
#include "tst_limiterfiles.moc"
