// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/undostorage.h"
#include "backend/acting/journal/undostore.h"
#include "tests/support/testprogram.h"
#include "tests/unit/journaling.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray binary = QByteArray("\0\xff\r\n\"{", 6);

const QByteArray key(FolderUndoStorage::keyBytes, 'k');

UndoStore kept(const QString& folder, const QByteArray& with = key)
{
    UndoStore store(folder);
    store.setKey(with);
    return store;
}

UndoRecord madeRecord(const QByteArray& receipt)
{
    return {receipt,
            "queue.discard",
            Kind::Queue,
            binary,
            "masked",
            u"127.0.0.1:6379/0"_s,
            "queue-restore",
            {binary, "k2"},
            {"next", binary, ""},
            5000,
            {{binary, "abc"}, {"k2", ""}}};
}

int modeOf(const QString& path)
{
    struct stat status = {};
    return ::stat(QFile::encodeName(path).constData(), &status) == 0 ? int(status.st_mode & 07777)
                                                                     : -1;
}

} // namespace

using Claim = UndoStore::Claim;

class TestUndoStore : public QObject
{
    Q_OBJECT

private:
    QString folder() const { return m_folder->filePath(u"state/undo"_s); }
    QStringList files() const { return QDir(folder()).entryList(QDir::Files); }

    std::unique_ptr<QTemporaryDir> m_folder;

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void roundTrip()
    {
        UndoStore store = kept(folder());
        QVERIFY(store.save(madeRecord("r0a")));
        const auto record = store.load("r0a", 4999);
        QVERIFY(record);
        const UndoRecord made = madeRecord("r0a");
        QCOMPARE(record->receipt, made.receipt);
        QCOMPARE(record->action, made.action);
        QCOMPARE(record->kind, made.kind);
        QCOMPARE(record->name, made.name);
        QCOMPARE(record->journalName, made.journalName);
        QCOMPARE(record->endpoint, made.endpoint);
        QCOMPARE(record->script, made.script);
        QCOMPARE(record->keys, made.keys);
        QCOMPARE(record->args, made.args);
        QCOMPARE(record->expiresMs, made.expiresMs);
        QCOMPARE(record->after, made.after);
    }

    void expires()
    {
        UndoStore store = kept(folder());
        QVERIFY(store.save(madeRecord("r0a")));
        QVERIFY(!store.load("r0a", 5000));
        QCOMPARE(store.load("r0a", 5000).error().code, ErrorCode::NotFound);
        // Files past their time go, whether somebody asks for them or not; others stay.
        QVERIFY(store.save(madeRecord("r0b")));
        QCOMPARE(store.claim("r0b"), Claim::Taken);
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        store.removeExpired(now);
        QCOMPARE(files().size(), 2);
        QVERIFY(write(folder() + u"/notes.json"_s, "mine"));
        QVERIFY(write(folder() + u"/r0c.json"_s, "of an older version, in plain text"));
        store.removeExpired(now + undoKeptMs + 60'000); // a clock may be wrong by as much
        QCOMPARE(files().size(), 3);
        store.removeExpired(now + 2 * undoKeptMs + 60'000);
        QCOMPARE(files(), QStringList{u"notes.json"_s});
    }

    void isPrivate()
    {
        const mode_t before = ::umask(0); // the most generous
        UndoStore store = kept(folder());
        QVERIFY(store.save(madeRecord("r0a")));
        ::umask(before);
        QCOMPARE(modeOf(folder()), 0700);
        QCOMPARE(modeOf(folder() + u"/r0a.undo"_s), 0600);
    }

    void claimedOnce()
    {
        UndoStore store = kept(folder());
        UndoStore other = kept(folder());
        QVERIFY(store.save(madeRecord("r0a")));
        QCOMPARE(store.claim("r0a"), Claim::Taken);
        QCOMPARE(other.claim("r0a"), Claim::Gone);
        QVERIFY(!other.load("r0a", 0));
        store.giveBack("r0a");
        QVERIFY(other.load("r0a", 0));
        QCOMPARE(other.claim("r0a"), Claim::Taken);
        other.remove("r0a");
        store.giveBack("r0a"); // too late
        QVERIFY(!store.load("r0a", 0));
        QCOMPARE(files(), QStringList());
        QCOMPARE(store.claim("r0never"), Claim::Gone);
    }

    // Data with an unknown outcome is neither present nor gone, in any store.
    void doubtful()
    {
        UndoStore store = kept(folder());
        UndoStore other = kept(folder());
        QVERIFY(store.save(madeRecord("r0a")));
        QCOMPARE(store.claim("r0a"), Claim::Taken);
        store.doubt("r0a");
        QCOMPARE(other.claim("r0a"), Claim::Doubtful);
        QVERIFY(other.load("r0a", 0));
        QVERIFY(other.claimDoubtful("r0a"));
        QVERIFY(!store.claimDoubtful("r0a"));
        QCOMPARE(store.claim("r0a"), Claim::Gone);
        other.giveBack("r0a");
        QCOMPARE(store.claim("r0a"), Claim::Taken);
        // A program that was killed with it: after a while that is the same.
        const QString claimed = folder() + u"/r0a.undo.taken"_s;
        QFile file(claimed);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addSecs(-120),
                                 QFileDevice::FileModificationTime));
        file.close();
        QCOMPARE(other.claim("r0a"), Claim::Doubtful);
        QVERIFY(other.claimDoubtful("r0a"));
        QCOMPARE(store.claim("r0a"), Claim::Gone); // it is fresh again
    }

    // Neither names nor values can be read from the disk, and what was changed there is not taken.
    void isEncrypted()
    {
        UndoRecord record = madeRecord("r0a");
        record.name = record.journalName = "NAME-SECRET";
        record.args = {"ARG-SECRET"};
        UndoStore store = kept(folder());
        QVERIFY(store.save(record));
        const QString path = folder() + u"/r0a.undo"_s;
        const QByteArray whole = contentsOf(path);
        for (const QByteArray& secret : {QByteArray("NAME-SECRET"), QByteArray("ARG-SECRET")}) {
            QVERIFY(!whole.contains(secret));
            QVERIFY(!whole.contains(secret.toBase64().left(12)));
        }
        QVERIFY(!whole.contains("queue"));
        const auto strange =
            kept(folder(), QByteArray(FolderUndoStorage::keyBytes, 'x')).load("r0a", 0);
        QVERIFY(!strange);
        QCOMPARE(strange.error().code, ErrorCode::NotFound);
        for (qsizetype at = 0; at < whole.size(); at += 7) {
            QByteArray changed = whole;
            changed[at] = char(changed[at] ^ 1);
            QVERIFY(write(path, changed));
            QVERIFY2(!store.load("r0a", 0), QByteArray::number(at).constData());
        }
        QVERIFY(write(path, whole));
        QVERIFY(store.load("r0a", 0));
        QVERIFY(QFile::copy(path, folder() + u"/r0b.undo"_s));
        QVERIFY(!store.load("r0b", 0)); // it is of another receipt
        QVERIFY(FolderUndoStorage::newKey() != FolderUndoStorage::newKey());
    }

    void withoutAKeyInMemory()
    {
        UndoStore store(folder());
        UndoStore copy = store;
        QCOMPARE(store.lasts(), UndoLasts::Program);
        QVERIFY(store.save(madeRecord("r0a")));
        QVERIFY(copy.load("r0a", 0));
        QVERIFY(!QFileInfo::exists(folder()));
        store.setKey(key); // the keyring answered meanwhile
        QCOMPARE(copy.lasts(), UndoLasts::ADay);
        QVERIFY(copy.load("r0a", 0));
        QCOMPARE(copy.claim("r0a"), Claim::Taken);
        QVERIFY(store.save(madeRecord("r0b")));
        QCOMPARE(files(), QStringList{u"r0b.undo"_s});
        const auto without = UndoStore(folder(), UndoStore::WithoutKey::Nothing);
        QVERIFY(!without.load("r0b", 0));
        QVERIFY(without.load("r0b", 0).error().detail.contains(u"--undo-key"_s));
        QVERIFY(!UndoStore(folder(), UndoStore::WithoutKey::Nothing).save(madeRecord("r0c")));
    }

    void hostileNames_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"../x", "..", ".", "", "/etc/passwd", "r/../../x", "r0a/../../x",
                                 "../undo/r0a", "R0A", "r0a ", "r0a\n", "r*", "r", "r0a.undo",
                                 "r\xff", "raaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
            QTest::newRow(name) << QByteArray(name);
        QTest::newRow("zero byte") << QByteArray("r0a\0../x", 8);
    }
    void hostileNames()
    {
        QFETCH(QByteArray, name);
        UndoStore store = kept(folder());
        QVERIFY(store.save(madeRecord("r0a")));
        const QByteArray whole = contentsOf(folder() + u"/r0a.undo"_s);
        const QString outside = m_folder->filePath(u"state/x.undo"_s);
        QVERIFY(write(outside, whole));
        QVERIFY(write(m_folder->filePath(u"x.undo"_s), whole));
        const auto record = store.load(name, 0);
        QVERIFY(!record);
        QCOMPARE(record.error().code, ErrorCode::NotFound);
        QCOMPARE(store.claim(name), Claim::Gone);
        store.giveBack(name);
        store.remove(name);
        UndoRecord hostile = madeRecord(name);
        hostile.name = "hostile";
        QVERIFY(!store.save(hostile));
        QCOMPARE(contentsOf(outside), whole);
        QCOMPARE(contentsOf(m_folder->filePath(u"x.undo"_s)), whole);
        QCOMPARE(files(), QStringList{u"r0a.undo"_s});
        QCOMPARE(contentsOf(folder() + u"/r0a.undo"_s), whole);
    }

    void brokenFiles()
    {
        UndoStore store = kept(folder());
        QVERIFY(store.save(madeRecord("r0a")));
        const QString path = folder() + u"/r0a.undo"_s;
        const QByteArray whole = contentsOf(path);
        for (qsizetype cut = 0; cut < whole.size(); ++cut) {
            QVERIFY(write(path, whole.left(cut)));
            QVERIFY2(!store.load("r0a", 0), QByteArray::number(cut).constData());
        }
        QVERIFY(write(path, whole));
        QVERIFY(store.load("r0a", 0));
    }

    void cannotBeWritten()
    {
        QVERIFY(QDir().mkpath(m_folder->filePath(u"state"_s)));
        QVERIFY(write(folder(), "a file in the folder's place"));
        const auto saved = kept(folder()).save(madeRecord("r0a"));
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::FileError);
    }

    // The undo data is made from a plan and its receipt.
    void whatIsKept()
    {
        Plan plan = madePlan();
        Receipt receipt = madeReceipt("r0a");
        const auto record = undoFor(plan, receipt, u"e"_s);
        QVERIFY(record);
        QCOMPARE(record->script, "undo-restore");
        QCOMPARE(record->keys, plan.keys);
        QCOMPARE(record->args,
                 (std::vector<QByteArray>{*receipt.changes[0].dump, "1800000600000", "", "-2"}));
        QCOMPARE(record->expiresMs, receipt.serverMs + undoKeptMs);
        QVERIFY(receipt.undoable);

        receipt.changes[0].dump.reset(); // it was there, and too large
        QVERIFY(!undoFor(plan, receipt, u"e"_s));
        receipt.changes[0].expiryMs = -2; // it was not there: nothing to be kept
        QVERIFY(undoFor(plan, receipt, u"e"_s));
        receipt.changes[0].fingerprintAfter.reset(); // what it became is too large to be compared
        QVERIFY(!undoFor(plan, receipt, u"e"_s));
        receipt.changes.clear();
        QVERIFY(!undoFor(plan, receipt, u"e"_s));

        plan.undo = {UndoWay::Kind::Script, "undo-move", {"to", "from"}, {"next"}, true, {}};
        plan.items = {"a", "b", "c"};
        receipt.items = {true, false, true};
        QCOMPARE(undoFor(plan, receipt, u"e"_s)->args, (std::vector<QByteArray>{"next", "a", "c"}));
        for (const Outcome outcome : {Outcome::Conflict, Outcome::Refused, Outcome::Unknown}) {
            receipt.outcome = outcome;
            QVERIFY(!undoFor(plan, receipt, u"e"_s));
        }
    }
};

LK_TEST(TestUndoStore);
#include "tst_undostore.moc"
