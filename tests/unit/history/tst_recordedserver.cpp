// SPDX-License-Identifier: GPL-3.0-or-later
// Who answered at a moment: as of then, however much has changed since.
#include "backend/history/store/codec/serverfacts.h"
#include "backend/history/store/recordfile.h"
#include "backend/history/store/schema.h"
#include "backend/session/recording/recordfeed.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

#include <QDir>
#include <QFileInfo>
#include <QSqlQuery>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = Recording::startMs;
constexpr qint64 minute = Retention::minute;

ServerFacts factsOf(const QString& master, qint64 memory = 1000)
{
    ServerFacts facts;
    facts.endpoint = QStringLiteral("shop");
    facts.flavour = Flavour::Redis;
    facts.version =
        master == QStringLiteral("a:1") ? QStringLiteral("7.0.15") : QStringLiteral("7.2.4");
    facts.role = NodeRole::Master;
    facts.nodes.resize(1);
    facts.nodes[0].endpoint = master;
    facts.nodes[0].role = NodeRole::Master;
    facts.nodes[0].memoryBytes = memory;
    return facts;
}

ScanCounts scanOf(qint64 scanned)
{
    ScanCounts scan;
    scan.scanned = scanned;
    scan.complete = true;
    return scan;
}

int rowsIn(Recording& recording)
{
    RecordFile file(recording.path());
    if (!file.open(RecordFile::Access::Read))
        return -1;
    QSqlQuery query(file.db());
    return query.exec(QStringLiteral("SELECT count(*) FROM server")) && query.next()
               ? query.value(0).toInt()
               : -1;
}

} // namespace

class TestRecordedServer : public QObject
{
    Q_OBJECT

private slots:
    void aMomentTellsWhoAnsweredThen();
    void whatIsAlwaysTheSameFillsNoDisk();
};

void TestRecordedServer::aMomentTellsWhoAnsweredThen()
{
    Recording recording;
    recording.open();
    for (const auto& [master, scanned] : {std::pair("a:1", 10), std::pair("b:1", 20)}) {
        RecordBatch batch = recording.batch();
        batch.server = factsOf(QLatin1String(master));
        batch.scan = scanOf(scanned);
        recording.add(std::move(batch));
        recording.clock.advance(minute);
    }
    Reading reading(recording);
    const RecordedMoment before = reading.momentAt(shop.key, t0 + minute - 1);
    QCOMPARE(before.server.version, QStringLiteral("7.0.15"));
    QCOMPARE(before.server.nodes.at(0).endpoint, QStringLiteral("a:1"));
    QCOMPARE(before.scan.scanned, 10);
    const RecordedMoment after = reading.momentAt(shop.key, t0 + minute);
    QCOMPARE(after.server.version, QStringLiteral("7.2.4"));
    QCOMPARE(after.server.nodes.at(0).endpoint, QStringLiteral("b:1"));
    QCOMPARE(after.scan.scanned, 20);
    QVERIFY(reading.momentAt(shop.key, t0 - 1).server.endpoint.isEmpty());
}

// Every second it is asked how large its memory is: what changes for the worse is told at once.
void TestRecordedServer::whatIsAlwaysTheSameFillsNoDisk()
{
    Recording recording;
    recording.writer = std::make_unique<RecordWriter>(
        RecordWriter::Setup{recording.path(), recording.retention, &recording.clock});
    RecordFeed feed(recording.writer.get());
    feed.begin(shop, recording.clock.nowMs());
    const auto pass = [&](int times, qint64 stepMs, const QString& master) {
        for (int i = 0; i < times; ++i) {
            recording.clock.advance(stepMs);
            feed.tick(recording.clock.nowMs());
            ServerFacts facts = factsOf(master, 1000 + i);
            facts.timeMs = recording.clock.nowMs();
            feed.takeServer(facts, scanOf(10 + i));
            recording.writer->flush();
        }
    };
    pass(30, minute, QStringLiteral("a:1"));
    QCOMPARE(rowsIn(recording), 3);
    pass(1, minute, QStringLiteral("b:1"));
    QCOMPARE(rowsIn(recording), 4);
    // One row an hour is left of those older than two days, and each moment still has its own.
    pass(3 * 24 * 6, 10 * minute, QStringLiteral("b:1"));
    recording.writer->ageAll();
    const int rows = rowsIn(recording);
    QVERIFY2(rows > 2 * 24 * 6 && rows < 2 * 24 * 6 + 24 + 6, qPrintable(QString::number(rows)));
    {
        Reading reading(recording);
        QCOMPARE(reading.momentAt(shop.key, t0 + 2 * Retention::hour).server.nodes.at(0).endpoint,
                 QStringLiteral("b:1"));
    }
    // The last facts stay as long as they can be asked for.
    recording.clock.advance(recording.retention.longestMs() + Retention::day);
    feed.tick(recording.clock.nowMs());
    recording.writer->flush();
    recording.writer->ageAll();
    QCOMPARE(rowsIn(recording), 1);
    Reading reading(recording);
    QCOMPARE(reading.momentAt(shop.key, recording.clock.nowMs()).server.version,
             QStringLiteral("7.2.4"));
}

LK_TEST(TestRecordedServer);
#include "tst_recordedserver.moc"
