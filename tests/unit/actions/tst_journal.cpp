// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"
#include "backend/platform/files.h"
#include "tests/support/testprogram.h"
#include "tests/unit/journaling.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>
#include <csignal>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

const AuditContext auditContext{u"127.0.0.1:6379/0"_s, u"stuck since 9:00"_s, u"ann"_s, u"desk"_s,
                                u"ops"_s};
constexpr auto ownerOnly = QFile::ReadOwner | QFile::WriteOwner;

// Without QFile's bits for the user, which repeat those of the owner.
QFile::Permissions permissionsOf(const QString& path)
{
    return QFile::permissions(path) & (QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner |
                                       QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup |
                                       QFile::ReadOther | QFile::WriteOther | QFile::ExeOther);
}

/// Lets files grow to that size and no further, as a full disk does: the rest of a write is lost.
class FullDisk
{
public:
    explicit FullDisk(qint64 bytes)
    {
        ::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{rlim_t(bytes), m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

class TestJournal : public QObject
{
    Q_OBJECT

private:
    QString path() const { return m_folder->filePath(u"state/journal.jsonl"_s); }
    /// One step, its outcome and all.
    void step(const Journal& journal, const QByteArray& id)
    {
        Journal copy = journal;
        QVERIFY(copy.logIntent(madeReceipt(id), madePlan(), auditContext));
        QVERIFY(copy.logOutcome(madeReceipt(id), madePlan()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void nothingYet();
    void roundTrip();
    void withoutAnAnswerItIsUnknown();
    void tornAnywhere();
    void strangeLines();
    void rotates();
    void severalWriters();
    void isPrivate();
    void holdsNothingSecret();
    void cannotBeWritten_data();
    void cannotBeWritten();
    void problemsAreNamed();
    void aLockIsNeverStale();
    void whoIsTheRealUser();
    void aFullDisk();
    void theLatest();
};

void TestJournal::nothingYet()
{
    const auto contents = Journal(path()).read();
    QVERIFY(contents);
    QVERIFY(contents->entries.empty());
    QCOMPARE(contents->broken, 0);
}

void TestJournal::roundTrip()
{
    Journal journal(path());
    Plan plan = madePlan("lock:\xff\n\"x");
    plan.undoes = "r111111111111";
    plan.group = "g222222222222";
    Receipt receipt = madeReceipt("rabc");
    QVERIFY(journal.logIntent(receipt, plan, auditContext));
    QVERIFY(journal.logOutcome(receipt, plan));
    const auto contents = journal.read();
    QVERIFY(contents);
    QCOMPARE(contents->broken, 0);
    QCOMPARE(contents->entries.size(), 1U);
    const JournalEntry& e = contents->entries[0];
    QCOMPARE(e.receipt, "rabc");
    QCOMPARE(e.action, "lock.release");
    QCOMPARE(e.name, displayName(plan.name));
    QCOMPARE(e.keys, QStringList{e.name});
    QCOMPARE(e.endpoint, auditContext.endpoint);
    QCOMPARE(e.who, auditContext.who);
    QCOMPARE(e.aclUser, auditContext.aclUser);
    QCOMPARE(e.toJson()["acl_user"_L1].toString(), u"ops"_s);
    QCOMPARE(e.host, auditContext.host);
    QCOMPARE(e.reason, auditContext.reason);
    QCOMPARE(e.guard, plan.guard);
    QCOMPARE(e.outcome, Outcome::Succeeded);
    QCOMPARE(e.text, receipt.text);
    QCOMPARE(e.count, 1);
    QCOMPARE(e.localMs, receipt.localMs);
    QCOMPARE(e.serverMs, receipt.serverMs);
    QVERIFY(e.undoable);
    QCOMPARE(e.undoes, plan.undoes);
    QCOMPARE(e.group, plan.group);
    QCOMPARE(e.toJson()["group"_L1].toString(), u"g222222222222"_s);
    QFile file(path());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count("g222222222222"), 2); // in each line
    const QJsonObject before = e.before[0].toObject();
    QCOMPARE(before["type"_L1].toString(), u"string"_s);
    QCOMPARE(before["bytes"_L1].toInt(), 72);
    QCOMPARE(before["expires_ms"_L1].toDouble(), 1'800'000'600'000.0);
    QCOMPARE(before["sha1"_L1].toString().size(), 40);
    QCOMPARE(e.after[0].toObject()["exists"_L1].toBool(true), false);
    const QJsonObject json = e.toJson();
    QCOMPARE(json["when"_L1].toString(), u"2027-01-15T08:00:00.456Z"_s);
    QCOMPARE(json["outcome"_L1].toString(), u"done"_s);
    for (const char* word : {"receipt", "action", "name", "keys", "reason"})
        QVERIFY2(json.contains(QLatin1String(word)), word);
}

void TestJournal::withoutAnAnswerItIsUnknown()
{
    Journal journal(path());
    Receipt receipt = madeReceipt("rabc"); // says Succeeded, but that was never written down
    QVERIFY(journal.logIntent(receipt, madePlan(), auditContext));
    const JournalEntry e = journal.read()->entries.at(0);
    QCOMPARE(e.outcome, Outcome::Unknown);
    QVERIFY(!e.undoable);
    QVERIFY(!e.text.isEmpty());
    QCOMPARE(e.toJson()["outcome"_L1].toString(), u"unknown"_s);
    for (const Outcome outcome : {Outcome::Conflict, Outcome::Refused, Outcome::Unknown}) {
        receipt = madeReceipt('r' + outcomeId(outcome), outcome);
        QVERIFY(journal.logIntent(receipt, madePlan(), auditContext));
        QVERIFY(journal.logOutcome(receipt, madePlan()));
        QCOMPARE(journal.read()->entries.back().outcome, outcome);
    }
}

// Whatever byte a crash stops at: what is not whole says nothing, and the next line is whole.
void TestJournal::tornAnywhere()
{
    Journal journal(path());
    step(journal, "rfirst");
    const qsizetype whole = contentsOf(path()).size();
    step(journal, "rlast");
    const QByteArray all = contentsOf(path());
    const qsizetype sent = all.indexOf('\n', whole); // the end of rlast's first line
    for (qsizetype cut = whole; cut <= all.size(); ++cut) {
        QVERIFY(write(path(), all.left(cut)));
        const auto torn = journal.read();
        QVERIFY(torn);
        const bool sentIsWhole = cut >= sent;
        const bool cameIsWhole = cut >= all.size() - 1; // its line feed does not matter
        const size_t known = sentIsWhole ? 2 : 1;
        QCOMPARE(torn->entries.size(), known);
        QCOMPARE(torn->entries[0].outcome, Outcome::Succeeded);
        if (sentIsWhole)
            QCOMPARE(torn->entries[1].outcome, cameIsWhole ? Outcome::Succeeded : Outcome::Unknown);
        const bool partial = cut != whole && cut != sent && cut != sent + 1 && !cameIsWhole;
        QCOMPARE(torn->broken, partial ? 1 : 0);

        step(journal, "rnext");
        const auto next = journal.read();
        QCOMPARE(next->entries.size(), known + 1);
        QCOMPARE(next->entries.back().receipt, "rnext");
        QCOMPARE(next->entries.back().outcome, Outcome::Succeeded);
        QCOMPARE(next->broken, torn->broken);
    }
}

void TestJournal::strangeLines()
{
    Journal journal(path());
    step(journal, "ra");
    const QByteArray good = contentsOf(path());
    const QByteArray came = good.mid(good.indexOf('\n') + 1);
    const QByteArrayList strange{"{}\n",
                                 "[]\n",
                                 "null\n",
                                 "\xff\xfe\n",
                                 "{\"entry\":\"came\"}\n",
                                 "{\"entry\":\"sending\",\"receipt\":7}\n",
                                 QByteArray(came).replace("\"ra\"", "\"rnever\""),
                                 QByteArray(300'000, '[') + '\n',
                                 QByteArray(1, '\0') + '\n'};
    for (const QByteArray& line : strange) {
        QVERIFY(write(path(), line + good));
        const auto contents = journal.read();
        QVERIFY(contents);
        QCOMPARE(contents->entries.size(), 1U);
        QCOMPARE(contents->entries[0].outcome, Outcome::Succeeded);
        QCOMPARE(contents->broken, 1);
    }
    // The first word counts: a second one of the same name does not put another in its place.
    QVERIFY(write(path(), good + QByteArray(good).replace("lock.release", "key.delete")));
    QCOMPARE(journal.read()->entries[0].action, "lock.release");
}

void TestJournal::rotates()
{
    Journal journal(path(), 4000);
    for (int i = 0; i < 120; ++i) {
        step(journal, 'r' + QByteArray::number(i));
        QVERIFY(QFileInfo(path()).size() < 4000 + 2000);
    }
    QVERIFY(QFile::exists(path() + u".1"_s));
    QVERIFY(QFile::exists(path() + u".10"_s));
    QVERIFY(!QFile::exists(path() + u".11"_s));
    QCOMPARE(permissionsOf(path() + u".1"_s), ownerOnly);
    const auto contents = journal.read();
    QVERIFY(contents);
    QVERIFY(contents->entries.size() > 30);
    // The latest are all there, in order; where a file was dropped a step lost its first line.
    QVERIFY(contents->broken <= 1);
    const auto count = int(contents->entries.size());
    for (int i = 0; i < count; ++i) {
        QCOMPARE(contents->entries[size_t(i)].receipt, 'r' + QByteArray::number(120 - count + i));
        QCOMPARE(contents->entries[size_t(i)].outcome, Outcome::Succeeded);
    }
}

void TestJournal::severalWriters()
{
    constexpr int writers = 4;
    constexpr int steps = 25;
    std::vector<std::unique_ptr<QThread>> threads;
    std::atomic<int> failures = 0;
    for (int w = 0; w < writers; ++w) {
        threads.emplace_back(QThread::create([&, w] {
            Journal journal(path(), 20'000); // rotating under one another's hands
            for (int i = 0; i < steps; ++i) {
                const Receipt receipt =
                    madeReceipt('r' + QByteArray::number(w) + 'x' + QByteArray::number(i));
                failures += !journal.logIntent(receipt, madePlan(), auditContext);
                failures += !journal.logOutcome(receipt, madePlan());
            }
        }));
        threads.back()->start();
    }
    for (const auto& thread : threads)
        QVERIFY(thread->wait(60'000));
    QCOMPARE(failures.load(), 0);
    const auto contents = Journal(path()).read();
    QVERIFY(contents);
    QCOMPARE(contents->broken, 0);
    QCOMPARE(contents->entries.size(), size_t(writers * steps));
    for (const JournalEntry& e : contents->entries)
        QCOMPARE(e.outcome, Outcome::Succeeded);
}

void TestJournal::isPrivate()
{
    const mode_t before = ::umask(0); // the most generous
    Journal journal(path());
    step(journal, "ra");
    ::umask(before);
    QCOMPARE(permissionsOf(path()), ownerOnly);
    QCOMPARE(permissionsOf(QFileInfo(path()).path()), ownerOnly | QFile::ExeOwner);
    // Also one that somebody has opened up.
    QVERIFY(QFile::setPermissions(path(), ownerOnly | QFile::ReadGroup | QFile::ReadOther));
    step(journal, "rb");
    QCOMPARE(permissionsOf(path()), ownerOnly);
}

void TestJournal::holdsNothingSecret()
{
    Journal journal(path());
    Plan plan = madePlan("code:SECRET-NAME");
    plan.journalName = "code:…#12345678";
    plan.revealed = "SECRET-NAME";
    plan.items = {"SECRET-ITEM"};
    plan.expected = u"SECRET-SEEN"_s;
    plan.commands = {u"SET SECRET-COMMAND"_s};
    Receipt receipt = madeReceipt("ra");
    receipt.name = plan.name;
    receipt.changes[0].key = plan.name;
    QVERIFY(journal.logIntent(receipt, plan, auditContext));
    QVERIFY(journal.logOutcome(receipt, plan));
    Plan undo = plan;
    undo.revealed.clear(); // taken back: nothing is revealed then, and the name is a code still
    undo.undoes = "ra";
    QVERIFY(journal.logIntent(madeReceipt("rb"), undo, auditContext));
    receipt.outcome = Outcome::Conflict;
    receipt.text = u"now SECRET-FOUND"_s;
    receipt.journalText = u"changed since the plan"_s;
    QVERIFY(journal.logOutcome(receipt, undo));
    const QByteArray bytes = contentsOf(path());
    QVERIFY(bytes.contains("12345678"));
    QVERIFY2(!bytes.contains("SECRET"), bytes.constData());
    const QByteArray dump = *receipt.changes[0].dump;
    for (const QByteArray& hidden :
         {dump.toHex(), dump.toBase64(), QByteArray("SECRET").toBase64()})
        QVERIFY(!bytes.contains(hidden));
}

void TestJournal::cannotBeWritten_data()
{
    QTest::addColumn<QString>("what");
    for (const char* what : {"folder is a file", "file is a folder", "device is full"})
        QTest::newRow(what) << QString::fromLatin1(what);
}

void TestJournal::cannotBeWritten()
{
    QFETCH(QString, what);
    const QString folder = QFileInfo(path()).path();
    if (what == u"folder is a file"_s) {
        QVERIFY(write(folder, "x"));
    } else {
        QVERIFY(QDir().mkpath(folder));
        if (what == u"device is full"_s)
            QVERIFY(QFile::link(u"/dev/full"_s, path()));
        else
            QVERIFY(QDir().mkpath(path()));
    }
    const auto written = Journal(path()).logIntent(madeReceipt("ra"), madePlan(), auditContext);
    QVERIFY(!written);
    QCOMPARE(written.error().code, ErrorCode::FileError);
    QVERIFY2(written.error().detail.contains(folder), qPrintable(written.error().detail));
    if (what == u"device is full"_s)
        QVERIFY2(written.error().detail.contains(u"no space left"_s),
                 qPrintable(written.error().detail));
}

// The reason why a file cannot be written is named, with its remedy.
void TestJournal::problemsAreNamed()
{
    QVERIFY(fileProblem(EACCES).contains(u"permission denied"_s));
    QVERIFY(fileProblem(ENOSPC).contains(u"no space left"_s));
    QVERIFY(fileProblem(EROFS).contains(u"read-only"_s));
    for (const int error : {EACCES, EROFS})
        QVERIFY(fileProblem(error).contains(u"XDG_DATA_HOME"_s));
    QCOMPARE(fileProblem(EIO), qt_error_string(EIO));
}

// A program that was killed while it made its lock leaves an empty file, which blocks no other one.
void TestJournal::aLockIsNeverStale()
{
    Journal journal(path());
    step(journal, "ra");
    QVERIFY(write(path() + u".lock"_s, {}));
    step(journal, "rb");
    // Who holds it is waited for, and gone with its process.
    int ends[2] = {};
    QCOMPARE(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        FileLock lock(path() + u".lock"_s);
        const char locked = lock.lock(0) == FileLock::Outcome::Locked ? 'y' : 'n';
        [[maybe_unused]] const auto written = ::write(ends[1], &locked, 1);
        ::pause();
        ::_exit(0);
    }
    char locked = 0;
    QCOMPARE(::read(ends[0], &locked, 1), ssize_t(1));
    QCOMPARE(locked, 'y');
    FileLock other(path() + u".lock"_s);
    QCOMPARE(other.lock(20), FileLock::Outcome::Busy);
    ::kill(child, SIGKILL);
    QCOMPARE(::waitpid(child, nullptr, 0), child);
    for (const int end : ends)
        ::close(end);
    QCOMPARE(other.lock(0), FileLock::Outcome::Locked);
}

// Not what the environment says, which anybody can set.
void TestJournal::whoIsTheRealUser()
{
    const QByteArray before = qgetenv("USER");
    qputenv("USER", "mallory");
    qputenv("SUDO_USER", "mallory");
    qputenv("LOGNAME", "mallory");
    const AuditContext here = auditContextHere(u"e"_s, u"r"_s, u"ops"_s);
    qputenv("USER", before);
    for (const char* name : {"SUDO_USER", "LOGNAME"})
        qunsetenv(name);
    const struct passwd* user = ::getpwuid(::getuid());
    QVERIFY(user);
    QCOMPARE(here.who, QString::fromLocal8Bit(user->pw_name));
    QCOMPARE(here.aclUser, u"ops"_s);
}

// Half a line reached the disk: the step is refused, and the half spoils nothing once there is
// room.
void TestJournal::aFullDisk()
{
    Journal journal(path());
    step(journal, "ra");
    {
        const FullDisk full(QFileInfo(path()).size() + 50);
        const auto written = journal.logIntent(madeReceipt("rb"), madePlan(), auditContext);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::FileError);
    }
    step(journal, "rc");
    const auto contents = journal.read();
    QCOMPARE(contents->entries.size(), 2U);
    QCOMPARE(contents->entries[1].receipt, "rc");
    QVERIFY(contents->broken <= 1);
}

void TestJournal::theLatest()
{
    Journal journal(path());
    for (int i = 0; i < 5; ++i)
        step(journal, 'r' + QByteArray::number(i));
    const auto contents = journal.read(2);
    QCOMPARE(contents->entries.size(), 2U);
    QCOMPARE(contents->entries[0].receipt, "r3");
    QCOMPARE(contents->entries[1].receipt, "r4");
}

LK_TEST(TestJournal);
#include "tst_journal.moc"
