// SPDX-License-Identifier: GPL-3.0-or-later
// A layout reads the same state from a probe in one step as with its plan and its decoder.
#include "backend/core/statepacking.h"
#include "backend/discovery/proberesult.h"
#include "backend/text/columns/column.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QTest>

using namespace lk;

namespace {

using Fill = void (*)(FakeKeys& keys);

QStringList shown(const State& state)
{
    QStringList texts;
    for (const Column& column : columnsOf(*state.primitive))
        texts << column.text(state);
    return texts;
}

struct Row
{
    const char* title;
    const char* name;
    const char* layout;
    Fill fill;
};

constexpr qint64 t = 1795223350117;

const Row rows[] = {
    {"lock", "lock:order:7", "set-nx-px",
     [](FakeKeys& k) { k.string("lock:order:7", "8f14e45f-ceea-467f-9d5b-2f0c4a8f5e11", 30'000); }},
    {"lock without TTL", "lock:order:7", "set-nx-px",
     [](FakeKeys& k) { k.string("lock:order:7", "8f14e45f-ceea-467f-9d5b-2f0c4a8f5e11"); }},
    {"lock whose owner is cut", "lock:order:7", "set-nx-px",
     [](FakeKeys& k) { k.string("lock:order:7", QByteArray(300, 'x'), 30'000); }},
    {"part of a library's lock", "bull:mail:7:lock", "set-nx-px",
     [](FakeKeys& k) {
         k.string("bull:mail:7:lock", "8f14e45f-ceea-467f-9d5b-2f0c4a8f5e11", 30'000);
     }},
    {"owner as a library writes it", "lock:resource:a", "shedlock",
     [](FakeKeys& k) {
         k.string("lock:resource:a", "ADDED:2026-11-20T10:00:00.117Z@host-1", 9'000);
     }},
    {"window", "api:rate", "rolling-window",
     [](FakeKeys& k) {
         k.marks("api:rate", {t - 900, t - 500, t - 20}, 980);
     }},
    {"window without TTL", "rl:user:7", "rolling-window",
     [](FakeKeys& k) {
         k.marks("rl:user:7", {t - 900, t - 500, t - 20});
     }},
    {"bucket", "bucket:user:7", "token-bucket",
     [](FakeKeys& k) {
         k.hash("bucket:user:7",
                {{"tokens", "4.5"}, {"last_refill", "1795223350000"}, {"capacity", "10"}});
     }},
    {"bucket with a TTL and a time in seconds", "bucket:user:7", "token-bucket",
     [](FakeKeys& k) {
         k.hash("bucket:user:7", {{"tokens", "0"}, {"ts", "1795223350"}, {"rate", "2"}}, 60'000);
     }},
    // More than a probe has the names of: it asks for the values all the same.
    {"bucket among other fields", "bucket:user:7", "token-bucket",
     [](FakeKeys& k) {
         std::vector<std::pair<QByteArray, QByteArray>> fields;
         for (int i = 0; i < 60; ++i)
             fields.emplace_back("other" + QByteArray::number(i), "x");
         fields.insert(fields.end(),
                       {{"tokens", "4.5"}, {"last_refill", "1795223350000"}, {"capacity", "10"}});
         k.hash("bucket:user:7", fields);
     }},
};

} // namespace

class TestProbeReading : public QObject
{
    Q_OBJECT

private slots:
    void isWhatThePlanReads_data();
    void isWhatThePlanReads();
    void leavesALargeWindowToThePlan();
    void leavesWhatIsDeclaredToThePlan();
};

void TestProbeReading::isWhatThePlanReads_data()
{
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < std::size(rows); ++i)
        QTest::newRow(rows[i].title) << int(i);
}

void TestProbeReading::isWhatThePlanReads()
{
    QFETCH(int, index);
    const Row& row = rows[index];
    FakeKeys keys;
    row.fill(keys);
    const Classifier classifier;
    const Probe probe = keys.probe(row.name, classifier);
    const auto claim = classifier.classify(probe);
    QVERIFY(claim);
    QCOMPARE(claim->primitive.id.layout, QByteArray(row.layout));
    const auto primitive = std::make_shared<const Primitive>(claim->primitive);
    QVERIFY(claim->layout->decodeProbe(*primitive, probe, {keys.nowMs}));

    const auto direct = readProbe(*claim->layout, primitive, probe);
    ReadRequest request;
    request.primitive = primitive;
    const auto planned = PrimitiveRead(std::move(request), probe.nowMs).takeProbe(probe);
    QVERIFY(direct && planned);
    QCOMPARE(packState(direct->state), packState(planned->state));
    QCOMPARE(shown(direct->state), shown(planned->state));
    QCOMPARE(direct->state.revisitAtMs, planned->state.revisitAtMs);
    QCOMPARE(direct->state.observed.firstSeenMs, planned->state.observed.firstSeenMs);
    QCOMPARE(direct->state.ttlMs.value_or(-1), planned->state.ttlMs.value_or(-1));
}

void TestProbeReading::leavesALargeWindowToThePlan()
{
    FakeKeys keys;
    std::vector<qint64> times;
    for (int i = 0; i < 40; ++i)
        times.push_back(t - 40 + i);
    keys.marks("api:rate", times, 980);
    const Classifier classifier;
    const ProbeResult result = judge(classifier, keys.probe("api:rate", classifier));
    QVERIFY(result.primitive);
    QVERIFY(!result.decoded);
}

void TestProbeReading::leavesWhatIsDeclaredToThePlan()
{
    FakeKeys keys;
    keys.string("lock:order:7", "8f14e45f-ceea-467f-9d5b-2f0c4a8f5e11", 30'000);
    auto declaration = std::make_shared<Declaration>();
    declaration->kind = Kind::Lock;
    declaration->layout = "set-nx-px";
    declaration->pattern = "lock:*";
    Config config;
    config.declarations = {declaration};
    const Classifier classifier(config);
    const ProbeResult result = judge(classifier, keys.probe("lock:order:7", classifier));
    QVERIFY(result.primitive);
    QVERIFY(result.primitive->declaration);
    QVERIFY(!result.decoded); // whether it is a string at all was not asked
}

LK_TEST(TestProbeReading);
#include "tst_probereading.moc"
