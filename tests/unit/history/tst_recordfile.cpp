// SPDX-License-Identifier: GPL-3.0-or-later
// The file itself: older and newer schemas, what is broken, full or may not be written.
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/codec/serverfacts.h"
#include "backend/history/store/codec/statecodec.h"
#include "backend/history/store/recordfile.h"
#include "backend/history/store/schema.h"
#include "tests/support/waiting.h"
#include "tests/unit/recordings.h"

#include <QFileInfo>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>

#include <QDir>
#include <csignal>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

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
    void aFolderThatMayNotBeWrittenIsTold();
    void aFullDiskStopsNothing();
    void eventsOutlastAFullDisk();
    void aClockThatWasSetBackPutsNothingOff();
    void aSmallDiskThatIsFull();
    void aDiskThatIsFullFromTheBeginning();
    void hostileBytesAreNoState();
    void aStateComesBackAsItWas();
    void whatFindingsAreMadeOfComesBack();
    void statesOfBeforeAreRead();
    void nodesKeepTheirDataAsTheyDid();
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

/// No file of this process grows beyond so many bytes, as on a full disk.
struct FullDisk
{
    explicit FullDisk(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit now = before;
        now.rlim_cur = bytes;
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before); }
    rlimit before{};
};

/// A disk of two megabytes, and something on it that takes all that is left. Goes with the process:
/// nobody else sees it.
class SmallDisk
{
public:
    explicit SmallDisk(const QString& place)
        : m_place(QFile::encodeName(place))
        , m_ballast(place + QStringLiteral("/ballast"))
    {
        QDir().mkpath(place);
        m_mounted = ::unshare(CLONE_NEWNS) == 0 &&
                    ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                    ::mount("tmpfs", m_place.constData(), "tmpfs", 0, "size=2m") == 0;
    }
    ~SmallDisk()
    {
        if (m_mounted)
            ::umount2(m_place.constData(), MNT_DETACH);
    }
    bool isMounted() const { return m_mounted; }
    /// Byte by byte at last; false if there is still room.
    bool fill()
    {
        QFile file(m_ballast);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
            return false;
        const QByteArray much(4096, 'x');
        while (file.write(much) == much.size()) {
        }
        while (file.write("x") == 1) {
        }
        return true;
    }
    bool clear() { return QFile::remove(m_ballast); }

private:
    QByteArray m_place;
    QString m_ballast;
    bool m_mounted = false;
};

constexpr auto noMount = "A disk that is full needs a tmpfs, which only root may mount: NOT TESTED";

bool isWhole(const QString& path)
{
    RecordFile file(path);
    if (!file.open(RecordFile::Access::Read))
        return false;
    QSqlQuery query(file.db());
    return query.exec(QStringLiteral("PRAGMA integrity_check")) && query.next() &&
           query.value(0).toString() == QStringLiteral("ok");
}

/// So many locks of which nothing can be compressed away.
RecordBatch manyStates(const Recording& recording, int count)
{
    RecordBatch batch = recording.batch();
    quint32 noise = quint32(recording.clock.nowMs());
    for (int i = 0; i < count; ++i) {
        QByteArray owner;
        for (int k = 0; k < 12; ++k) {
            noise = noise * 1664525U + 1013904223U;
            owner += QByteArray::number(noise, 36);
        }
        State lock =
            lockState(owner, 30'000, recording.clock.nowMs(),
                      madePrimitive(Kind::Lock, "set-nx-px", "lock:" + QByteArray::number(i)));
        batch.states.push_back({lock.primitive, lock.asOfMs, shared(std::move(lock))});
    }
    return batch;
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

void TestRecordFile::aFolderThatMayNotBeWrittenIsTold()
{
    Recording recording;
    // A file where its folder should be: root may write to every folder.
    QFile inTheWay(recording.folder.filePath(QStringLiteral("state")));
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    inTheWay.close();
    RecordWriter writer({recording.path(), {}, &recording.clock});
    QSignalSpy problems(&writer, &RecordWriter::problem);
    QSignalSpy resumed(&writer, &RecordWriter::resumed);
    writer.begin(shop, recording.clock.nowMs());
    writer.flush();
    writer.flush();
    QCOMPARE(problems.size(), 1); // once, however often it is tried
    QVERIFY(problems[0][0].value<Error>().detail.contains(recording.path()));
    QCOMPARE(resumed.size(), 0);
    QVERIFY(inTheWay.remove());
    QSignalSpy recovered(&writer, &RecordWriter::recovered);
    writer.flush();
    QCOMPARE(recovered.size(), 1);
    QCOMPARE(resumed.size(), 1);
}

void TestRecordFile::aFullDiskStopsNothing()
{
    Recording recording;
    recording.open();
    recording.addState(lockState("alice", 30'000, t0));
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    QSignalSpy recovered(recording.writer.get(), &RecordWriter::recovered);
    QSignalSpy resumed(recording.writer.get(), &RecordWriter::resumed);
    {
        const FullDisk full(300'000);
        for (int i = 0; i < 20; ++i) {
            recording.clock.advance(1000);
            recording.add(manyStates(recording, 500));
        }
        QCOMPARE(problems.size(), 1);
        QCOMPARE(recovered.size(), 0);
    }
    recording.clock.advance(10'000);
    recording.writer->flush();
    QVERIFY(resumed.size() >= 1); // all that is known is told anew
    recording.addState(lockState("bob", 30'000, recording.clock.nowMs()));
    QCOMPARE(recovered.size(), 1);
    Reading reading(recording);
    QCOMPARE(reading.stateAt({shop.key, {"set-nx-px", "l"}}, t0)->as<LockState>()->owner,
             QByteArray("alice"));
    QCOMPARE(reading.stateAt({shop.key, {"set-nx-px", "l"}}, recording.clock.nowMs())
                 ->as<LockState>()
                 ->owner,
             QByteArray("bob"));
    // And nobody is told that it was seen meanwhile.
    QVERIFY(!reading.gaps(shop.key, t0, recording.clock.nowMs()).empty());
}

void TestRecordFile::eventsOutlastAFullDisk()
{
    Recording recording;
    recording.open();
    recording.addState(lockState("alice", 30'000, t0));
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    {
        const FullDisk full(1000);
        recording.clock.advance(1000);
        RecordBatch batch = recording.batch();
        RecordedEvent event;
        event.tMs = recording.clock.nowMs();
        event.type = EventType::Action;
        event.ref = "r1";
        batch.events = {event};
        recording.add(std::move(batch));
        QCOMPARE(problems.size(), 1);
        // Neither is what happens before it is tried again.
        batch = recording.batch();
        event.ref = "r2";
        batch.events = {event};
        recording.add(std::move(batch));
    }
    recording.clock.advance(10'000);
    recording.writer->flush();
    recording.writer->flush();
    Reading reading(recording);
    const auto events = reading.events({.deployment = shop.key, .types = {EventType::Action}});
    QCOMPARE(events.size(), 2U);
    QCOMPARE(events[0].ref, QByteArray("r1"));
    QCOMPARE(events[1].ref, QByteArray("r2"));
}

// Else it would not be tried again for an hour.
void TestRecordFile::aClockThatWasSetBackPutsNothingOff()
{
    Recording recording;
    recording.open();
    recording.addState(lockState("alice", 30'000, t0));
    QSignalSpy recovered(recording.writer.get(), &RecordWriter::recovered);
    {
        const FullDisk full(1000);
        recording.clock.advance(1000);
        RecordBatch batch = recording.batch();
        batch.events.push_back({.tMs = recording.clock.nowMs(), .type = EventType::ServerBack});
        recording.add(std::move(batch));
    }
    recording.clock.advance(-3'600'000);
    recording.writer->start();
    QVERIFY(waitUntil([&] {
        recording.clock.advance(5);
        return !recovered.isEmpty();
    }));
}

void TestRecordFile::aSmallDiskThatIsFull()
{
    Recording recording;
    SmallDisk disk(QFileInfo(recording.path()).path());
    if (!disk.isMounted())
        QSKIP(noMount);
    recording.open();
    recording.addState(lockState("alice", 30'000, t0));
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    QSignalSpy recovered(recording.writer.get(), &RecordWriter::recovered);
    QVERIFY(disk.fill());
    for (int i = 0; i < 20; ++i) {
        recording.clock.advance(1000);
        recording.add(manyStates(recording, 500));
        recording.writer->settle(); // neither ageing nor measuring takes that for the end
    }
    QCOMPARE(problems.size(), 1);
    const QString said = problems[0][0].value<Error>().detail;
    QVERIFY2(said.contains(recording.path()) && said.contains(QStringLiteral("full")),
             qPrintable(said));
    QCOMPARE(recovered.size(), 0);
    {
        // What was recorded before can be read meanwhile.
        Reading reading(recording);
        QVERIFY(reading.opened);
        const StatePtr then = reading.stateAt({shop.key, {"set-nx-px", "l"}}, t0);
        QVERIFY(then && then->as<LockState>()->owner == "alice");
    }
    QVERIFY(disk.clear());
    recording.clock.advance(10'000);
    recording.writer->flush();
    recording.addState(lockState("bob", 30'000, recording.clock.nowMs()));
    QCOMPARE(recovered.size(), 1);
    Reading reading(recording);
    const auto owner = [&](qint64 tMs) {
        const StatePtr state = reading.stateAt({shop.key, {"set-nx-px", "l"}}, tMs);
        return state ? state->as<LockState>()->owner : QByteArray();
    };
    QCOMPARE(owner(t0), QByteArray("alice"));
    QCOMPARE(owner(recording.clock.nowMs()), QByteArray("bob"));
    const auto gaps = reading.gaps(shop.key, t0, recording.clock.nowMs());
    QCOMPARE(gaps.size(), 1U);
    QCOMPARE(gaps[0].reason, GapReason::Disk);
    recording.close();
    QVERIFY(isWhole(recording.path()));
}

void TestRecordFile::aDiskThatIsFullFromTheBeginning()
{
    Recording recording;
    SmallDisk disk(QFileInfo(recording.path()).path());
    if (!disk.isMounted())
        QSKIP(noMount);
    QVERIFY(disk.fill());
    recording.writer = std::make_unique<RecordWriter>(
        RecordWriter::Setup{recording.path(), recording.retention, &recording.clock});
    QSignalSpy problems(recording.writer.get(), &RecordWriter::problem);
    QSignalSpy recovered(recording.writer.get(), &RecordWriter::recovered);
    recording.writer->begin(shop, recording.clock.nowMs());
    recording.addState(lockState("alice", 30'000, t0));
    QCOMPARE(problems.size(), 1);
    QVERIFY(disk.clear());
    recording.clock.advance(10'000);
    recording.writer->flush();
    recording.addState(lockState("bob", 30'000, recording.clock.nowMs()));
    QCOMPARE(recovered.size(), 1);
    Reading reading(recording);
    const StatePtr now = reading.stateAt({shop.key, {"set-nx-px", "l"}}, recording.clock.nowMs());
    QVERIFY(now && now->as<LockState>()->owner == "bob");
    recording.close();
    QVERIFY(isWhole(recording.path()));
}

void TestRecordFile::hostileBytesAreNoState()
{
    const State queue = queueState({1, 2, 3}, t0, 7);
    const QByteArray whole = encodeState(queue);
    QVERIFY(decodeState(whole, queue.primitive, t0));
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY2(!decodeState(whole.left(size), queue.primitive, t0),
                 QByteArray::number(size).constData());
    quint32 noise = 7;
    for (int i = 0; i < 20'000; ++i) { // none of these may crash
        QByteArray broken = whole;
        noise = noise * 1664525U + 1013904223U;
        broken[qsizetype(noise % quint32(broken.size()))] = char(noise >> 24);
        decodeState(broken, queue.primitive, t0);
        std::vector<StateFrame> frames;
        decodeBlock(qCompress(broken), t0, frames);
        std::vector<SampleFrame> samples;
        decodeBlock(qCompress(broken), t0, samples);
        decodeBlock(broken, t0, frames);
    }
    QVERIFY(!decodeState(whole, madePrimitive(Kind::Lock, "set-nx-px", "l"), t0));
}

void TestRecordFile::aStateComesBackAsItWas()
{
    State lock = lockState("alice", 30'000, t0);
    lock.observed.sinceMs = t0 - 5000;
    lock.observed.renewals = 8;
    lock.urgency = 2.5;
    const StatePtr back = decodeState(encodeState(lock), lock.primitive, t0);
    QVERIFY(back);
    QCOMPARE(back->as<LockState>()->owner, QByteArray("alice"));
    QCOMPARE(back->as<LockState>()->leaseMs, std::optional<qint64>(30'000));
    QCOMPARE(back->ttlMs, std::optional<qint64>(30'000));
    QCOMPARE(back->observed.sinceMs, t0 - 5000);
    QCOMPARE(back->observed.renewals, 8);
    QCOMPARE(back->urgency, 2.5);
    // Seen later, less of the lease is left.
    QCOMPARE(decodeState(encodeState(lock), lock.primitive, t0 + 10'000)->as<LockState>()->leaseMs,
             std::optional<qint64>(20'000));
    const State queue = queueState({1, 2, 3}, t0, 7);
    const StatePtr jobs = decodeState(encodeState(queue), queue.primitive, t0);
    QCOMPARE(jobs->as<QueueState>()->ready, std::optional<qint64>(7));
    QCOMPARE(jobs->as<QueueState>()->items.size(), 3U);
    QVERIFY(jobs->as<QueueState>()->items[0].preview.isEmpty()); // it is the payload
    const PrimitivePtr primitive = decodePrimitive(encodePrimitive(*queue.primitive));
    QVERIFY(primitive);
    QCOMPARE(primitive->id, queue.primitive->id);
    QVERIFY(primitive->keys == queue.primitive->keys);
    // A value that tells no owner is nobody's business.
    State secret = lockState("s3cret", 30'000, t0);
    secret.body.get<LockState>().ownerKnown = false;
    QVERIFY(!encodeState(secret).contains("s3cret"));
    const PrimitivePtr token =
        madePrimitive(Kind::Token, "string-token", "code:c17bd6a2f09e4d7790ab33e1c2d4f5a6");
    QVERIFY(!encodePrimitive(*token).contains("c17bd6a2f09e4d7790ab33e1c2d4f5a6"));
}

// Else a moment of the past would have other findings than it had.
void TestRecordFile::whatFindingsAreMadeOfComesBack()
{
    State limiter = madeState(madePrimitive(Kind::Limiter, "rolling-window", "api"), t0);
    limiter.bytesKey = QByteArray("api:large");
    auto& window = limiter.body.get<LimiterState>();
    window.bareMembers = TimeUnit::Microseconds;
    window.driftKey = QByteArray("api:value");
    const StatePtr back = decodeState(encodeState(limiter), limiter.primitive, t0);
    QVERIFY(back);
    QCOMPARE(*back->bytesKey, QByteArray("api:large"));
    QVERIFY(back->as<LimiterState>()->bareMembers == TimeUnit::Microseconds);
    QCOMPARE(*back->as<LimiterState>()->driftKey, QByteArray("api:value"));
    State queue = queueState({1, 2, 3}, t0, 7);
    auto& items = queue.body.get<QueueState>().items;
    items[0].facts.leaseAlive = false;
    items[2].facts.leaseAlive = true;
    const QByteArray bytes = encodeState(queue);
    const StatePtr jobs = decodeState(bytes, queue.primitive, t0);
    QVERIFY(jobs);
    QVERIFY(jobs->as<QueueState>()->items[0].facts.leaseAlive == false);
    QVERIFY(!jobs->as<QueueState>()->items[1].facts.leaseAlive);
    QVERIFY(jobs->as<QueueState>()->items[2].facts.leaseAlive == true);
    quint32 noise = 7;
    for (int i = 0; i < 20'000; ++i) { // none of these may crash
        QByteArray broken = bytes;
        noise = noise * 1664525U + 1013904223U;
        broken[qsizetype(noise % quint32(broken.size()))] = char(noise >> 24);
        decodeState(broken, queue.primitive, t0);
        decodeState(bytes + QByteArray(1, char(noise >> 16)), queue.primitive, t0);
    }
    // What belongs to another kind is none.
    const State lock = lockState("alice", 30'000, t0);
    for (const char extra : {2, 4, 8, 16})
        QVERIFY(!decodeState(encodeState(lock) + extra + QByteArray("\1\1"), lock.primitive, t0));
}

// As they were written before they had anything at their end.
void TestRecordFile::statesOfBeforeAreRead()
{
    State queue = queueState({1, 2, 3}, t0, 7);
    const QByteArray before = encodeState(queue);
    queue.body.get<QueueState>().items[0].facts.leaseAlive = true;
    const QByteArray now = encodeState(queue);
    QVERIFY(now.size() > before.size() && now.startsWith(before)); // it costs the others nothing
    const StatePtr back = decodeState(before, queue.primitive, t0);
    QVERIFY(back);
    QVERIFY(!back->as<QueueState>()->items[0].facts.leaseAlive);
    // The server of a recording of the first version, with one node.
    const QByteArray first = QByteArray::fromHex(
        "010d31302e302e302e313a3633373905726564697306372e302e31350a7374616e64616c6f6e6506"
        "6d61737465720080a0abfef96200000000010d31302e302e302e313a36333739066d617374657200"
        "06372e302e3135000200011801d00f00010600f601280000005018000100");
    ServerFacts server;
    ScanCounts scan;
    QVERIFY(decodeServer(first, server, scan));
    QCOMPARE(server.endpoint, QStringLiteral("10.0.0.1:6379"));
    QCOMPARE(server.nodes.size(), 1U);
    QCOMPARE(server.nodes[0].keys, std::optional<qint64>(12));
    QVERIFY(server.nodes[0].durability == Durability());
    QCOMPARE(scan.scanned, 123);
}

void TestRecordFile::nodesKeepTheirDataAsTheyDid()
{
    ServerFacts server;
    server.endpoint = QStringLiteral("10.0.0.1:6379");
    NodeFacts node;
    node.endpoint = server.endpoint;
    node.durability.appendOnly = true;
    node.durability.fsync = QStringLiteral("everysec");
    node.durability.snapshots = false;
    node.durability.diskError = DiskError::AppendOnlyFile;
    node.durability.failure = QStringLiteral("err");
    node.durability.eviction = QStringLiteral("allkeys-lru");
    node.durability.maxMemory = 1'000'000;
    server.nodes = {node, NodeFacts()};
    ServerFacts back;
    ScanCounts scan;
    const QByteArray bytes = encodeServer(server, scan);
    QVERIFY(decodeServer(bytes, back, scan));
    QCOMPARE(back.nodes.size(), 2U);
    QVERIFY(back.nodes[0].durability == node.durability);
    QVERIFY(back.nodes[1].durability == Durability());
    for (qsizetype size = 0; size < bytes.size(); ++size)
        QVERIFY(!decodeServer(bytes.left(size), back, scan));
    QVERIFY(!decodeServer(char(99) + bytes.mid(1), back, scan)); // of a program that is newer
}

QTEST_GUILESS_MAIN(TestRecordFile)
#include "tst_recordfile.moc"
