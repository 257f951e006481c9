// SPDX-License-Identifier: GPL-3.0-or-later
// The file itself: a newer schema, what is broken.
#include "backend/history/store/recordfile.h"
#include "backend/history/store/schema.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

#include <QDir>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

using namespace lk;
using namespace lk::test;

class TestRecordFile : public QObject
{
    Q_OBJECT

private slots:
    void aNewerSchemaIsOnlyRead();
    void whatIsBrokenIsPutAside();
};

namespace {

constexpr qint64 t0 = Recording::startMs;

QSqlDatabase bare(const QString& path, const QString& name)
{
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
    db.setDatabaseName(path);
    db.open();
    return db;
}

} // namespace

void TestRecordFile::aNewerSchemaIsOnlyRead()
{
    Recording recording;
    recording.open();
    recording.addState(lockState("alice", 30'000, t0));
    recording.close();
    {
        QSqlDatabase db = bare(recording.path(), QStringLiteral("newer"));
        QSqlQuery query(db);
        QVERIFY(query.exec(QStringLiteral("PRAGMA user_version = 99")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("newer"));
    RecordWriter writer({recording.path(), {}, &recording.clock});
    QSignalSpy problems(&writer, &RecordWriter::problem);
    writer.begin(shop, recording.clock.nowMs());
    QCOMPARE(problems.size(), 1);
    QVERIFY(problems[0][0].value<Error>().detail.contains(QStringLiteral("another version")));
    QCOMPARE(QDir(QFileInfo(recording.path()).path())
                 .entryList({QStringLiteral("*broken*")}, QDir::Files)
                 .size(),
             0);
    Reading reading(recording);
    QVERIFY(reading.opened);
    QCOMPARE(reading.momentAt(shop.key, t0).states.size(), 1U);
}

void TestRecordFile::whatIsBrokenIsPutAside()
{
    Recording recording;
    QDir().mkpath(QFileInfo(recording.path()).path());
    QFile file(recording.path());
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(50'000, 'x'));
    file.close();
    recording.writer =
        std::make_unique<RecordWriter>(RecordWriter::Setup{recording.path(), {}, &recording.clock});
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    recording.writer->begin(shop, recording.clock.nowMs());
    recording.addState(lockState("alice", 30'000, t0));
    QCOMPARE(problems.size(), 1);
    const QStringList aside = QDir(QFileInfo(recording.path()).path())
                                  .entryList({QStringLiteral("*broken-*")}, QDir::Files);
    QVERIFY(!aside.isEmpty());
    QVERIFY(problems[0][0].value<Error>().detail.contains(aside.first()));
    Reading reading(recording);
    QCOMPARE(reading.momentAt(shop.key, t0).states.size(), 1U);
}

LK_TEST(TestRecordFile);
#include "tst_recordfile.moc"
