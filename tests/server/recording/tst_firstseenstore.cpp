// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/firstseenstore.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace lk;

namespace {

using Sights = std::vector<FirstSeenRecord>;

Sights loaded(FirstSeenStore& store)
{
    Sights firstSeen;
    QObject context;
    QObject::connect(&store, &FirstSeenStore::loaded, &context,
                     [&](const Sights& s) { firstSeen = s; });
    store.load();
    std::sort(firstSeen.begin(), firstSeen.end(),
              [](const FirstSeenRecord& a, const FirstSeenRecord& b) {
                  return std::tie(a.queue, a.fingerprint) < std::tie(b.queue, b.fingerprint);
              });
    return firstSeen;
}

bool same(const FirstSeenRecord& a, const FirstSeenRecord& b)
{
    return a.queue == b.queue && a.fingerprint == b.fingerprint && a.firstSeenMs == b.firstSeenMs;
}

} // namespace

class TestFirstSeenStore : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString file(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private slots:
    void keepsWhatWasSaved();
    void savingReplaces();
    void serversAreApart();
    void theFileIsPrivate();
    void tellsWhatWentWrong_data();
    void tellsWhatWentWrong();
    void aBrokenFileIsTold();
};

void TestFirstSeenStore::keepsWhatWasSaved()
{
    const Sights firstSeen{{QByteArray("bin\0\xff\n", 6), ~quint64(0), 1'795'223'350'117},
                           {"jobs", 0, 1},
                           {"jobs", quint64(1) << 63, 2}};
    {
        FirstSeenStore store(file("deep/er/seen.db"), QStringLiteral("a:1/0"));
        QVERIFY(loaded(store).empty());
        store.save(firstSeen);
    }
    FirstSeenStore store(file("deep/er/seen.db"), QStringLiteral("a:1/0"));
    const Sights back = loaded(store);
    QCOMPARE(back.size(), firstSeen.size());
    QVERIFY(std::equal(back.begin(), back.end(), firstSeen.begin(), same));
}

void TestFirstSeenStore::savingReplaces()
{
    FirstSeenStore store(file("replace.db"), QStringLiteral("a:1/0"));
    store.save({{"jobs", 1, 1000}, {"jobs", 2, 1000}});
    store.save({{"jobs", 2, 1000}, {"jobs", 3, 2000}});
    const Sights back = loaded(store);
    QCOMPARE(back.size(), 2U);
    QCOMPARE(back[0].fingerprint, 2U);
    QCOMPARE(back[1].fingerprint, 3U);
    store.save({});
    QVERIFY(loaded(store).empty());
}

void TestFirstSeenStore::serversAreApart()
{
    FirstSeenStore one(file("two.db"), QStringLiteral("a:1/0"));
    FirstSeenStore two(file("two.db"), QStringLiteral("b:1/0"));
    one.save({{"jobs", 1, 1000}});
    two.save({{"jobs", 1, 2000}});
    one.save({{"jobs", 1, 1000}});
    QCOMPARE(loaded(one).front().firstSeenMs, 1000);
    QCOMPARE(loaded(two).front().firstSeenMs, 2000);
    two.save({});
    QCOMPARE(loaded(one).size(), 1U);
}

void TestFirstSeenStore::theFileIsPrivate()
{
    FirstSeenStore store(file("private.db"), QStringLiteral("a:1/0"));
    store.save({{"jobs", 1, 1000}});
    const auto others = QFileDevice::ReadGroup | QFileDevice::WriteGroup | QFileDevice::ReadOther |
                        QFileDevice::WriteOther;
    QVERIFY(!(QFileInfo(file("private.db")).permissions() & others));
}

void TestFirstSeenStore::tellsWhatWentWrong_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::newRow("no folder can be made") << QByteArray("plain/x/seen.db");
    QTest::newRow("a folder is in the way") << QByteArray("taken.db");
}

void TestFirstSeenStore::tellsWhatWentWrong()
{
    QFETCH(QByteArray, path);
    QFile plain(file("plain"));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    QDir(m_folder.path()).mkpath(QStringLiteral("taken.db"));
    FirstSeenStore store(file(path.constData()), QStringLiteral("a:1/0"));
    QSignalSpy failures(&store, &FirstSeenStore::failed);
    QVERIFY(loaded(store).empty());
    QCOMPARE(failures.size(), 1);
    const Error error = failures[0][0].value<Error>();
    QCOMPARE(error.code, ErrorCode::FileError);
    QVERIFY(error.detail.contains(QString::fromLatin1(path)));
    store.save({{"jobs", 1, 1000}});
    QCOMPARE(failures.size(), 1); // told once
}

void TestFirstSeenStore::aBrokenFileIsTold()
{
    QFile broken(file("broken.db"));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(QByteArray(8192, 'x'));
    broken.close();
    FirstSeenStore store(file("broken.db"), QStringLiteral("a:1/0"));
    QSignalSpy failures(&store, &FirstSeenStore::failed);
    QVERIFY(loaded(store).empty());
    QCOMPARE(failures.size(), 1);
    const QString detail = failures[0][0].value<Error>().detail;
    QVERIFY2(detail.size() > file("broken.db").size() + 5, qPrintable(detail)); // says where it is
    store.save({{"jobs", 1, 1000}});
    QCOMPARE(loaded(store).size(), 1U); // a new one took its place
    const QStringList aside =
        QDir(m_folder.path()).entryList({QStringLiteral("broken.db.broken-*")});
    QVERIFY(!aside.isEmpty());
    QCOMPARE(QFileInfo(file(qPrintable(aside.first()))).size(), 8192); // and nothing is lost
}

LK_TEST(TestFirstSeenStore);
#include "tst_firstseenstore.moc"
