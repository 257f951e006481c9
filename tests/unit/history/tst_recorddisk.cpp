// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that is full or may not be written stops nothing, and what is on it stays whole.
#include "backend/history/store/recordfile.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/unit/recordings.h"

#include <QDir>
#include <QFileInfo>
#include <QSqlQuery>
#include <QVariant>

#include <csignal>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace lk;
using namespace lk::test;

class TestRecordDisk : public QObject
{
    Q_OBJECT

private slots:
    void aFolderThatMayNotBeWrittenIsTold();
    void aFullDiskStopsNothing();
    void eventsOutlastAFullDisk();
    void aClockThatWasSetBackPutsNothingOff();
    void aSmallDiskThatIsFull();
    void aDiskThatIsFullFromTheBeginning();
};

namespace {

constexpr qint64 t0 = Recording::startMs;

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

/// A disk of two megabytes, with a file that fills the rest of it. It ends with the process, and no
/// other process sees it.
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

void TestRecordDisk::aFolderThatMayNotBeWrittenIsTold()
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

void TestRecordDisk::aFullDiskStopsNothing()
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
    // And the recording does not claim that it was seen meanwhile.
    QVERIFY(!reading.gaps(shop.key, t0, recording.clock.nowMs()).empty());
}

void TestRecordDisk::eventsOutlastAFullDisk()
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
void TestRecordDisk::aClockThatWasSetBackPutsNothingOff()
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

void TestRecordDisk::aSmallDiskThatIsFull()
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
        recording.writer->ageAll(); // neither ageing nor measuring takes that for the end
    }
    QCOMPARE(problems.size(), 1);
    const QString said = problems[0][0].value<Error>().detail;
    QVERIFY2(said.contains(recording.path()) && said.contains(QStringLiteral("full")),
             qPrintable(said));
    QCOMPARE(recovered.size(), 0);
    {
        // Earlier recordings can be read meanwhile.
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

void TestRecordDisk::aDiskThatIsFullFromTheBeginning()
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

LK_TEST(TestRecordDisk);
#include "tst_recorddisk.moc"
