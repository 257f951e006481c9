// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is damaged in a part that is not read at once.
#include "backend/history/recordreader.h"
#include "backend/history/store/recordfile.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QSqlQuery>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = Recording::startMs;

QStringList putAside(const Recording& recording)
{
    return QDir(QFileInfo(recording.path()).path())
        .entryList({QStringLiteral("history.db.broken-*")}, QDir::Files)
        .filter(QRegularExpression(QStringLiteral("\\d$")));
}

/// Some hundred pages, all of which are overwritten but those with the schema: the file can be
/// opened.
bool damage(const QString& path)
{
    QSet<qint64> schema;
    qint64 pageBytes = 0;
    {
        RecordFile file(path);
        if (!file.open(RecordFile::Access::Read))
            return false;
        QSqlQuery query(file.db());
        query.exec(QStringLiteral("SELECT pageno, pgsize FROM dbstat WHERE name IN "
                                  "('sqlite_schema', 'sqlite_master')"));
        while (query.next()) {
            schema.insert(query.value(0).toLongLong());
            pageBytes = query.value(1).toLongLong();
        }
    }
    QFile file(path);
    if (schema.isEmpty() || !file.open(QIODevice::ReadWrite) || file.size() < 20 * pageBytes)
        return false;
    const QByteArray other(pageBytes, 'x');
    for (qint64 page = 1; page <= file.size() / pageBytes; ++page) {
        if (!schema.contains(page) &&
            (!file.seek((page - 1) * pageBytes) || file.write(other) != pageBytes))
            return false;
    }
    return true;
}

void fill(Recording& recording)
{
    RecordBatch batch = recording.batch();
    for (int i = 0; i < 500; ++i) {
        RecordedEvent event;
        event.tMs = t0 + i;
        event.type = EventType::ServerBack;
        event.text = QStringLiteral("event %1 %2").arg(i).arg(QString(200, QLatin1Char('x')));
        batch.events.push_back(event);
    }
    recording.add(std::move(batch));
}

} // namespace

class TestRecordDamage : public QObject
{
    Q_OBJECT

private slots:
    void theRecordingGoesOnInANewFile();
    void whatAnotherProgramHasReplacedIsLeftAlone();
    void whoReadsIsTold();
};

void TestRecordDamage::theRecordingGoesOnInANewFile()
{
    Recording recording;
    recording.open();
    fill(recording);
    recording.close();
    QVERIFY(damage(recording.path()));
    recording.writer = std::make_unique<RecordWriter>(
        RecordWriter::Setup{recording.path(), recording.retention, &recording.clock});
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    QSignalSpy recovered(recording.writer.get(), &RecordWriter::recovered);
    recording.writer->begin(shop, recording.clock.nowMs());
    QVERIFY(!problems.isEmpty());
    for (int i = 0; i < 3 && recovered.isEmpty(); ++i) {
        recording.clock.advance(6000);
        recording.writer->flush();
        recording.addState(lockState("alice", 30'000, recording.clock.nowMs()));
    }
    QCOMPARE(recovered.size(), 1);
    QCOMPARE(putAside(recording).size(), 1);
    QVERIFY(problems.last()[0].value<Error>().detail.contains(putAside(recording).first()));
    Reading reading(recording);
    QCOMPARE(reading.momentAt(shop.key, recording.clock.nowMs()).states.size(), 1U);
    QVERIFY(!reading.damage());
}

// It has found the damage first, and records into a file that is whole.
void TestRecordDamage::whatAnotherProgramHasReplacedIsLeftAlone()
{
    Recording recording;
    recording.open();
    fill(recording);
    recording.close();
    RecordFile file(recording.path());
    QVERIFY(file.open(RecordFile::Access::Read));
    const quint64 broken = file.identity();
    QVERIFY(broken != 0 && file.isInPlace());
    QVERIFY(QFile::rename(recording.path(), recording.path() + QStringLiteral(".broken-1")));
    recording.open();
    recording.addState(lockState("alice", 30'000, t0));
    QVERIFY(!file.isInPlace());
    file.putAside(broken);
    QCOMPARE(putAside(recording).size(), 1);
    QCOMPARE(Reading(recording).momentAt(shop.key, t0).states.size(), 1U);
}

void TestRecordDamage::whoReadsIsTold()
{
    Recording recording;
    recording.open();
    fill(recording);
    recording.close();
    {
        Reading whole(recording);
        QCOMPARE(whole.events({.deployment = shop.key}).size(), 500U);
        QVERIFY(!whole.damage());
    }
    RecordReader reader(recording.path());
    QSignalSpy failed(&reader, &RecordReader::failed);
    const auto count = [&] {
        size_t found = 0;
        reader.ask([&](RecordQueries& queries) {
            found = queries.events({.deployment = shop.key}).size();
        });
        return found;
    };
    QCOMPARE(count(), 500U);
    QVERIFY(failed.isEmpty());
    QVERIFY(damage(recording.path()));
    RecordReader later(recording.path());
    QSignalSpy laterFailed(&later, &RecordReader::failed);
    for (int i = 0; i < 2; ++i)
        later.ask([](RecordQueries& queries) { queries.events({.deployment = shop.key}); });
    QCOMPARE(laterFailed.size(), 1);
    Reading reading(recording);
    QVERIFY(reading.events({.deployment = shop.key}).empty());
    QVERIFY(reading.damage());
    // The recorder puts the file aside. Later recordings can be read.
    QVERIFY(QFile::rename(recording.path(), recording.path() + QStringLiteral(".broken-1")));
    recording.open();
    fill(recording);
    QCOMPARE(count(), 500U);
    QVERIFY(failed.isEmpty());
}

LK_TEST(TestRecordDamage);
#include "tst_recorddamage.moc"
