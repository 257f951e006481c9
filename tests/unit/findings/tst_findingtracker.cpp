// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findings.h"
#include "backend/findings/findingtracker.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <ctime>

using namespace lk;
using namespace lk::test;
using Severity = Finding::Severity;

namespace {

constexpr qint64 now = 1'795'000'000'000;
constexpr qint64 day = 24LL * 3600 * 1000;

State lockNamed(const QByteArray& name, std::optional<qint64> leaseMs)
{
    return lockState("owner", leaseMs, now, madePrimitive(Kind::Lock, "set-nx-px", name));
}

State tokenNamed(const QByteArray& name, std::optional<qint64> ttlMs,
                 TokenState::Phase phase = TokenState::Phase::Live)
{
    State state = madeState(madePrimitive(Kind::Token, "string-token", name), now);
    auto& token = state.body.get<TokenState>();
    token.phase = phase;
    state.ttlMs = ttlMs;
    return state;
}

/// A watch in this thread, whose seconds pass when they are told to, and what it told last.
struct Fixture
{
    explicit Fixture(CheckSettings settings = {})
        : tracker(std::move(settings))
    {
        QObject::connect(&tracker, &FindingTracker::reported, &tracker,
                         [this](const LiveFindingsPtr& findings) {
                             told = findings;
                             ++tellings;
                         });
    }
    void set(Handle handle, std::optional<State> state)
    {
        auto delta = std::make_shared<Delta>();
        delta->atMs = now;
        delta->changes.push_back(
            {handle, state ? std::make_shared<const State>(std::move(*state)) : nullptr});
        tracker.apply(delta);
    }
    void seconds(int n)
    {
        for (int i = 0; i < n; ++i)
            tracker.everySecond();
    }
    /// "code name", in the order of the rows.
    QByteArrayList rows() const
    {
        QByteArrayList all;
        for (const LiveFindingPtr& live : told->rows)
            all << live->finding.code + ' ' + live->finding.name;
        return all;
    }

    FindingTracker tracker;
    LiveFindingsPtr told;
    int tellings = 0;
};

} // namespace

class TestFindingTracker : public QObject
{
    Q_OBJECT

private slots:
    void worstFirstAndCounted();
    void nothingIsToldTwice();
    void whatLastsIsTold();
    void whatFlickersIsNotTold();
    void messagesChangeInPlace();
    void silencedOnesAreLastAndCounted();
    void thresholds();
    void absentOnesShowNothing();
    void across();
    void whatCannotBeReadIsTold();
    void theServerItself();
    void acrossOfManyIsBounded();
    void anotherPrimitiveInItsPlace();
    void rowsAreBounded();
    void costOfManyPrimitives();
};

void TestFindingTracker::worstFirstAndCounted()
{
    Fixture fixture;
    fixture.set(0_h, tokenNamed("code:0123456789abcdef", 40 * day));
    fixture.set(1_h, lockNamed("b", {}));
    fixture.set(2_h, lockNamed("fine", 1000));
    fixture.set(3_h, lockNamed("a", {}));
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), (QByteArrayList{"lock-without-ttl a", "lock-without-ttl b",
                                             "token-ttl-too-long code:0123456789abcdef"}));
    QCOMPARE(fixture.told->total(), 3);
    QCOMPARE(fixture.told->checked, 4);
    QCOMPARE(fixture.told->bySeverity, (std::array<qint64, 3>{0, 1, 2}));
    QCOMPARE(fixture.told->byCode.at("lock-without-ttl"), 2);
    QVERIFY(fixture.told->worst() == Severity::Error);
    QVERIFY(fixture.told->worstOf(0_h) == Severity::Warning);
    QVERIFY(fixture.told->worstOf(1_h) == Severity::Error);
    QVERIFY(!fixture.told->worstOf(2_h));
    QVERIFY(!fixture.told->worstOf(99_h));
    QCOMPARE(fixture.told->of(3_h).size(), size_t(1));
    QCOMPARE(fixture.told->of(3_h)[0]->finding.name, QByteArray("a"));
    QCOMPARE(fixture.told->of(3_h)[0]->sinceMs, now);
    QVERIFY(fixture.told->of(2_h).empty());
}

void TestFindingTracker::nothingIsToldTwice()
{
    Fixture fixture;
    fixture.set(0_h, lockNamed("a", {}));
    fixture.seconds(2);
    const int tellings = fixture.tellings;
    fixture.set(0_h, lockNamed("a", {}));
    fixture.seconds(10);
    QCOMPARE(fixture.tellings, tellings);
}

void TestFindingTracker::whatLastsIsTold()
{
    Fixture fixture;
    fixture.set(0_h, lockNamed("a", {}));
    fixture.seconds(1);
    QVERIFY(fixture.told->rows.empty()); // it may have come this instant
    fixture.seconds(1);
    QCOMPARE(fixture.rows(), QByteArrayList{"lock-without-ttl a"});
    const quint64 id = fixture.told->rows[0]->id;
    fixture.set(0_h, lockNamed("a", 1000));
    fixture.seconds(1);
    QCOMPARE(fixture.told->total(), 1);
    fixture.set(0_h, lockNamed("a", {})); // back within the second: it was never gone
    fixture.seconds(3);
    QCOMPARE(fixture.told->rows[0]->id, id);
    fixture.set(0_h, {});
    fixture.seconds(2);
    QVERIFY(fixture.told->rows.empty());
    QCOMPARE(fixture.told->total(), 0);
    QVERIFY(fixture.told->byCode.empty());
    QVERIFY(!fixture.told->worst());
    QVERIFY(!fixture.told->worstOf(0_h));
    QCOMPARE(fixture.told->checked, 0);
}

void TestFindingTracker::whatFlickersIsNotTold()
{
    Fixture fixture;
    fixture.set(0_h, lockNamed("a", 1000));
    fixture.seconds(1);
    for (int i = 0; i < 10; ++i) {
        fixture.set(0_h, lockNamed("a", {}));
        fixture.seconds(1);
        fixture.set(0_h, lockNamed("a", 1000));
        QVERIFY(fixture.told->rows.empty());
    }
    fixture.seconds(3);
    QVERIFY(fixture.told->rows.empty());
}

void TestFindingTracker::messagesChangeInPlace()
{
    Fixture fixture;
    State token = tokenNamed("t:0123456789abcdef", 600'000);
    token.body.get<TokenState>().uses = 2;
    fixture.set(0_h, token);
    fixture.seconds(2);
    const LiveFindingPtr before = fixture.told->rows.at(0);
    token.body.get<TokenState>().uses = 3;
    fixture.set(0_h, token);
    fixture.seconds(1);
    QCOMPARE(fixture.told->rows[0]->id, before->id);
    QCOMPARE(before->finding.message, QStringLiteral("The token was presented 2 times."));
    QCOMPARE(fixture.told->rows[0]->finding.message,
             QStringLiteral("The token was presented 3 times."));
    QCOMPARE(fixture.told->rows.size(), size_t(1));
    QCOMPARE(fixture.told->total(), 1);
}

void TestFindingTracker::silencedOnesAreLastAndCounted()
{
    CheckSettings settings;
    settings.silence = {"lock-without-ttl"};
    Fixture fixture(settings);
    fixture.set(0_h, lockNamed("a", {}));
    fixture.set(1_h, tokenNamed("t:0123456789abcdef", 40 * day));
    fixture.seconds(2);
    QCOMPARE(fixture.rows(),
             (QByteArrayList{"token-ttl-too-long t:0123456789abcdef", "lock-without-ttl a"}));
    QCOMPARE(fixture.told->silenced, 1);
    QCOMPARE(fixture.told->total(), 1);
    QVERIFY(fixture.told->worst() == Severity::Warning);
    QVERIFY(!fixture.told->worstOf(0_h));
    QVERIFY(!fixture.told->byCode.contains("lock-without-ttl"));
}

void TestFindingTracker::thresholds()
{
    CheckSettings settings;
    settings.thresholds.tokenTtlMs = 60 * day;
    Fixture fixture(settings);
    fixture.set(0_h, tokenNamed("t:0123456789abcdef", 40 * day));
    fixture.set(1_h, tokenNamed("t:1123456789abcdef", 61 * day));
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), QByteArrayList{"token-ttl-too-long t:1123456789abcdef"});
}

void TestFindingTracker::absentOnesShowNothing()
{
    Fixture fixture;
    State gone = lockNamed("a", {});
    gone.present = false;
    fixture.set(0_h, gone);
    fixture.seconds(3);
    QVERIFY(fixture.told->rows.empty());
    QCOMPARE(fixture.told->checked, 0);
}

void TestFindingTracker::across()
{
    Fixture fixture;
    for (quint32 h = 0; h < 5; ++h)
        fixture.set(Handle(h), tokenNamed("code:" + QByteArray::number(100'000 + h), 60'000));
    State resource = queueState({}, now, 1, "r");
    auto apart = std::make_shared<Primitive>(*resource.primitive);
    apart->keys = {{"window", "r"}, {"consumer:1", "r:consumer:1"}};
    resource.primitive = apart;
    fixture.set(11_h, resource);
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), (QByteArrayList{"token-codes-sequential code:*", "different-slots r",
                                             "token-codes-short code:*"}));
    QCOMPARE(fixture.told->rows[0]->handle, noHandle);
    QVERIFY(fixture.told->rows[0]->kind == Kind::Token);
    QCOMPARE(fixture.told->rows[1]->handle, 11_h);
    QVERIFY(fixture.told->rows[1]->kind == Kind::Queue);
    QVERIFY(fixture.told->worstOf(11_h) == Severity::Info);
    QVERIFY(!fixture.told->worstOf(10_h));
    for (quint32 h = 0; h < 5; ++h)
        fixture.set(Handle(h), {});
    fixture.seconds(3); // not read again yet: that would cost as much each second
    QCOMPARE(fixture.told->total(), 3);
    fixture.seconds(4);
    QCOMPARE(fixture.rows(), QByteArrayList{"different-slots r"});
}

void TestFindingTracker::whatCannotBeReadIsTold()
{
    constexpr int untilAcross = 8; // seconds, settling included
    const auto denied = [](const QByteArray& name) {
        return problemState(
            madePrimitive(Kind::Queue, "reliable-list", name), now,
            {ErrorCode::NoPerm, QStringLiteral("no permissions to run the 'lrange' command")});
    };
    Fixture fixture;
    fixture.set(0_h, denied("jobs"));
    fixture.set(1_h, denied("mail"));
    auto scanned = std::make_shared<Delta>(); // nothing changed but the scan
    scanned->atMs = now;
    Missing keys;
    keys.cause = Missing::Cause::KeyPatterns;
    keys.permission = "~*";
    keys.keys = 7;
    scanned->scan.missing = {keys};
    fixture.tracker.apply(scanned);
    fixture.seconds(untilAcross);
    QCOMPARE(fixture.rows(), (QByteArrayList{"not-readable +lrange", "not-readable ~*"}));
    QVERIFY(fixture.told->rows[0]->kind == Kind::Queue);
    QVERIFY(!fixture.told->rows[0]->boardless);
    QVERIFY(fixture.told->rows[0]->finding.message.contains(QStringLiteral("queues 2")));
    QVERIFY(fixture.told->rows[1]->boardless); // the kind of those keys is unknown
    auto whole = std::make_shared<Delta>();
    whole->atMs = now;
    fixture.tracker.apply(whole);
    for (const Handle handle : {0_h, 1_h})
        fixture.set(handle, lockNamed("fine", 1000));
    fixture.seconds(untilAcross);
    QCOMPARE(fixture.rows(), QByteArrayList());
}

void TestFindingTracker::theServerItself()
{
    ServerFacts server;
    server.endpoint = QStringLiteral("10.0.0.7:6379/0");
    server.timeMs = now;
    Fixture fixture;
    fixture.tracker.setServer(server);
    fixture.seconds(3);
    QCOMPARE(fixture.told->total(), 0);

    server.masterLink = MasterLink::Down;
    server.master = QStringLiteral("10.0.0.1:6379");
    server.masterDownMs = 60'000;
    fixture.tracker.setServer(server);
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), QByteArrayList{"replica-stale 10.0.0.7:6379/0"});
    const LiveFindingPtr stale = fixture.told->rows[0];
    QVERIFY(stale->finding.ofServer);
    QCOMPARE(kindIdOf(stale->finding), "server");
    QCOMPARE(stale->handle, noHandle);
    QCOMPARE(stale->sinceMs, now); // though the server has no key that a delta could tell of
    QVERIFY(fixture.told->worst() == Severity::Warning);

    server.masterDownMs = 120'000;
    server.diskError = DiskError::AppendOnlyFile;
    fixture.tracker.setServer(server);
    fixture.seconds(2);
    QCOMPARE(fixture.rows(),
             (QByteArrayList{"cannot-save 10.0.0.7:6379/0", "replica-stale 10.0.0.7:6379/0"}));
    QCOMPARE(fixture.told->rows[1]->id, stale->id);
    QVERIFY(fixture.told->rows[1]->finding.message.contains(QStringLiteral("2 m ago")));

    server.masterLink = MasterLink::Up;
    server.diskError = DiskError::None;
    fixture.tracker.setServer(server);
    fixture.seconds(2);
    QCOMPARE(fixture.told->total(), 0);
    QVERIFY(fixture.told->rows.empty());
}

// On a cluster every queue of the usual names shows the same: none of it may be quadratic.
void TestFindingTracker::acrossOfManyIsBounded()
{
    constexpr int few = 5000;
    constexpr int many = 4 * few;
    const auto fill = [](Fixture& fixture, int count) {
        ServerFacts cluster;
        cluster.mode = ServerMode::Cluster;
        fixture.tracker.setServer(cluster);
        for (quint32 h = 0; h < quint32(count); ++h) {
            const QByteArray name = "jobs:" + QByteArray::number(h);
            State queue = queueState({}, now, 1, name);
            auto primitive = std::make_shared<Primitive>(*queue.primitive);
            primitive->keys = {{"ready", name}, {"processing", name + ":processing"}};
            queue.primitive = primitive;
            fixture.set(Handle(h), queue);
        }
        const std::clock_t before = std::clock(); // of this process: others may be busy
        fixture.seconds(2);
        return double(std::clock() - before);
    };
    Fixture smaller;
    const double costOfFew = fill(smaller, few);
    Fixture fixture;
    const double costOfMany = fill(fixture, many);
    const double ratio = costOfMany / std::max(costOfFew, CLOCKS_PER_SEC / 1000.0);
    QVERIFY2(ratio < 10, qPrintable(QString::number(ratio))); // 4 is linear, 16 quadratic
    QVERIFY(fixture.told->total() > many * 9 / 10);
    QCOMPARE(fixture.told->rows.size(), LiveFindings::mostRows);
    QVERIFY(fixture.told->worstOf(fixture.told->rows.back()->handle) == Severity::Error);
}

void TestFindingTracker::anotherPrimitiveInItsPlace()
{
    Fixture fixture;
    fixture.set(0_h, lockNamed("a", {}));
    fixture.seconds(2);
    const quint64 id = fixture.told->rows.at(0)->id;
    fixture.set(0_h, {});
    const Handle other(0, 1);
    fixture.set(other, lockNamed("other", {}));
    QVERIFY(!fixture.told->worstOf(other)); // nor while that of the first is still told
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), QByteArrayList{"lock-without-ttl other"});
    QVERIFY(fixture.told->rows[0]->id != id);
    QVERIFY(fixture.told->worstOf(other) == Severity::Error);
    QVERIFY(!fixture.told->worstOf(0_h));
    QCOMPARE(fixture.told->total(), 1);
}

void TestFindingTracker::rowsAreBounded()
{
    Fixture fixture;
    const auto many = quint32(LiveFindings::mostRows) + 500;
    for (quint32 h = 0; h < many; ++h)
        fixture.set(Handle(h), lockNamed("lock:" + QByteArray::number(h), {}));
    fixture.set(Handle(many), tokenNamed("t:0123456789abcdef", 40 * day));
    fixture.seconds(2);
    QCOMPARE(fixture.told->rows.size(), LiveFindings::mostRows);
    QCOMPARE(fixture.told->total(), qint64(many) + 1);
    QVERIFY(fixture.told->worstOf(Handle(many)) ==
            Severity::Warning); // also of what is not among the rows
    for (quint32 h = 0; h < many; ++h)
        fixture.set(Handle(h), {});
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), QByteArrayList{"token-ttl-too-long t:0123456789abcdef"});
}

// The time between two digests is a second, which this shares with sorting and summing up.
void TestFindingTracker::costOfManyPrimitives()
{
    constexpr quint32 many = 100'000;
    const auto changes = [&](bool noTtl, quint32 part) {
        auto delta = std::make_shared<Delta>();
        delta->atMs = now;
        for (quint32 h = 0; h < many / part; ++h) {
            const QByteArray name = "code:" + QByteArray::number(h * 7919LL + 1'000'000'000, 36);
            delta->changes.push_back(
                {Handle(h),
                 std::make_shared<State>(
                     h % 2 ? lockNamed("lock:" + name,
                                       noTtl ? std::nullopt : std::optional(qint64(1000)))
                           : tokenNamed(name, noTtl ? 40 * day : 60'000))});
        }
        return delta;
    };
    QElapsedTimer cost;
    const auto measured = [&](const char* what, auto function) {
        cost.start();
        function();
        qInfo("%s: %.1f ms", what, double(cost.nsecsElapsed()) / 1e6);
        return cost.elapsed();
    };
    const DeltaPtr all = changes(false, 1);
    const DeltaPtr some = changes(false, 20);
    const DeltaPtr bad = changes(true, 1);
    Fixture fixture;
    qint64 most = 0;
    measured("100,000 new ones, nothing wrong", [&] { fixture.tracker.apply(all); });
    measured("across all of them", [&] { fixture.seconds(1); });
    most = std::max(most,
                    measured("5,000 changes, nothing wrong", [&] { fixture.tracker.apply(some); }));
    most = std::max(most, measured("a second without rules across", [&] { fixture.seconds(1); }));
    measured("100,000 with a hazard each", [&] { fixture.tracker.apply(bad); });
    fixture.seconds(1);
    measured("told for the first time", [&] { fixture.seconds(1); });
    QCOMPARE(fixture.told->total(), many + 1); // and the shape of the codes
    fixture.set(1_h, lockNamed("x", 1000));
    most = std::max(most, measured("told again", [&] { fixture.seconds(1); }));
    QVERIFY2(most < 500, qPrintable(QString::number(most)));
}

LK_TEST(TestFindingTracker);
#include "tst_findingtracker.moc"
