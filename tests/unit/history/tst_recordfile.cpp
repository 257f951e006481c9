// SPDX-License-Identifier: GPL-3.0-or-later
// The file itself: older and newer schemas, what is broken.
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
    void anOlderSchemaBecomesTheSameAsANewOne();
    void holdsOfAnOlderFileAreKept();
    void aNewerSchemaIsOnlyRead();
    void whatIsBrokenIsPutAside();
};

namespace {

constexpr qint64 t0 = Recording::startMs;

QStringList schemaTexts(const QString& path)
{
    RecordFile file(path);
    QStringList all;
    if (!file.open(RecordFile::Access::Read))
        return all;
    QSqlQuery query(file.db());
    query.exec(QStringLiteral("SELECT type, name, sql FROM sqlite_master ORDER BY type, name"));
    while (query.next())
        all << query.value(0).toString() + query.value(1).toString() + query.value(2).toString();
    all << QString::number(file.schema());
    return all;
}

QSqlDatabase bare(const QString& path, const QString& name)
{
    QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
    db.setDatabaseName(path);
    db.open();
    return db;
}

} // namespace

void TestRecordFile::anOlderSchemaBecomesTheSameAsANewOne()
{
    QTemporaryDir folder;
    const QString fresh = folder.filePath(QStringLiteral("fresh.db"));
    {
        RecordFile file(fresh);
        QVERIFY(file.open(RecordFile::Access::Write));
        QCOMPARE(file.schema(), recordingSchema);
    }
    for (int from = 1; from < recordingSchema; ++from) {
        const QString path = folder.filePath(QStringLiteral("older-%1.db").arg(from));
        const QString name = QStringLiteral("older-%1").arg(from);
        {
            QSqlDatabase db = bare(path, name);
            QVERIFY(migrateSchema(db, from));
            QSqlQuery query(db);
            QVERIFY(query.exec(QStringLiteral(
                "INSERT INTO deployment (key, title) VALUES ('redis:a:1/0', 'kept')")));
        }
        QSqlDatabase::removeDatabase(name);
        QVERIFY(schemaTexts(path) != schemaTexts(fresh));
        RecordFile file(path);
        QVERIFY(file.open(RecordFile::Access::Write));
        QSqlQuery query(file.db());
        QVERIFY(query.exec(QStringLiteral("SELECT title FROM deployment")) && query.next());
        QCOMPARE(query.value(0).toString(), QStringLiteral("kept"));
        QCOMPARE(schemaTexts(path), schemaTexts(fresh));
    }
}

// One had an owner that its value does not tell.
void TestRecordFile::holdsOfAnOlderFileAreKept()
{
    Recording recording;
    QDir().mkpath(QFileInfo(recording.path()).path());
    {
        QSqlDatabase db = bare(recording.path(), QStringLiteral("older"));
        QVERIFY(migrateSchema(db, 5));
        QSqlQuery query(db);
        for (const char* sql :
             {"INSERT INTO deployment (id, key, title) VALUES (1, 'redis:shop:6379/0', 'shop')",
              "INSERT INTO alias VALUES (CAST('redis:shop:6379/0' AS BLOB), 1)",
              "INSERT INTO primitive (id, deployment, layout, name, kind, info, first_ms) VALUES "
              "(1, 1, CAST('set-nx-px' AS BLOB), CAST('l' AS BLOB), 1, x'00', 1)",
              "INSERT INTO hold (deployment, primitive, owner, from_ms, to_ms, flags, renewals) "
              "VALUES (1, 1, CAST('a' AS BLOB), 1000, 2000, 12, 0), (1, 1, NULL, 3000, 4000, 12, "
              "0)"})
            QVERIFY2(query.exec(QLatin1String(sql)), qPrintable(query.lastError().text()));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("older"));
    RecordFile file(recording.path());
    QVERIFY(file.open(RecordFile::Access::Write));
    Reading reading(recording);
    const auto holds = reading.holds({shop.key, {"set-nx-px", "l"}}, 0, 10'000);
    QCOMPARE(holds.size(), 2U);
    QCOMPARE(holds[0].owner, QByteArray("a"));
    QVERIFY(holds[1].owner.isEmpty());
    // Neither are two of an unknown owner that begin at once.
    QSqlQuery query(file.db());
    QVERIFY(!query.exec(QStringLiteral(
        "INSERT INTO hold (deployment, primitive, owner, from_ms, to_ms, flags, renewals) "
        "VALUES (1, 1, x'', 3000, 5000, 12, 0)")));
}

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
    QVERIFY(problems[0][0].value<Error>().detail.contains(QStringLiteral("newer version")));
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
