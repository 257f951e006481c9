// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the cost of recording 100,000 primitives of which 5 % change each second, at a fiftieth
// of that, with a clock that runs as fast as the machine can compare, encode and write. Once other
// ones change each hour, and once any of them each second, of which 40 % change within ten seconds;
// their numbers by a few at a time, and once to any other. Then all of them at their full number,
// for what a moment of them costs.
// Usage: bench_recording RESULTS [HOURS]
#include "backend/history/recordqueries.h"
#include "backend/history/recordwriter.h"
#include "backend/session/recording/recordfeed.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/monthbench.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>

#include <functional>

#include <sys/resource.h>

using namespace lk;

namespace {

constexpr int everything = 100'000; // primitives
constexpr int scale = 50;
constexpr qint64 startMs = 1'700'000'000'000;

double cpuSeconds()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return double(t.tv_sec) + double(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

PrimitivePtr madePrimitive(int i)
{
    const Kind kinds[] = {Kind::Lock, Kind::Limiter, Kind::Limiter, Kind::Queue};
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = kinds[i % 4];
    primitive->id = {primitive->kind == Kind::Lock      ? "set-nx-px"
                     : primitive->kind == Kind::Limiter ? "rolling-window"
                                                        : "reliable-list",
                     "tenant:" + QByteArray::number(i * 7919 % 100'000) + ":thing"};
    primitive->keys = {{"main", primitive->id.name}};
    primitive->confidence = 0.9;
    return primitive;
}

/// How the numbers of a primitive change.
enum class Numbers {
    Wander, ///< by a few at a time, and a lock is taken or released, as in production
    Noise,  ///< to any other: nothing can be left out, the worst there is
};

/// One change of one primitive. level: what wanders.
StatePtr changed(const PrimitivePtr& primitive, qint64 nowMs, quint32 noise, Numbers numbers,
                 int& level)
{
    if (numbers == Numbers::Wander)
        level = primitive->kind == Kind::Lock
                    ? 1 - level
                    : std::clamp(level + int(noise % 7) - 3, 0,
                                 primitive->kind == Kind::Queue ? 499 : 99);
    else
        level = primitive->kind == Kind::Lock
                    ? noise & 1
                    : noise % (primitive->kind == Kind::Queue ? 500 : 100);
    auto state = std::make_shared<State>();
    state->primitive = primitive;
    state->asOfMs = nowMs;
    state->health = Health::Ok;
    state->observed.firstSeenMs = startMs;
    switch (primitive->kind) {
    case Kind::Lock: {
        LockState lock;
        lock.phase = level ? LockState::Phase::Held : LockState::Phase::Free;
        lock.ownerKnown = level;
        if (level) {
            lock.owner = "worker-" + QByteArray::number(noise % 50) + "-7f3c";
            lock.leaseMs = 30'000 - noise % 1000;
            state->ttlMs = lock.leaseMs;
        }
        state->observed.sinceMs = nowMs;
        state->body = lock;
        break;
    }
    case Kind::Limiter: {
        LimiterState limiter;
        limiter.limit = 100;
        limiter.windowMs = 60'000;
        limiter.occupancy = level;
        limiter.remaining = 100 - level;
        limiter.nextFreeMs = 0;
        state->body = limiter;
        break;
    }
    default: {
        QueueState queue;
        queue.ready = level;
        queue.processing = noise % 8;
        queue.delayed = 0;
        queue.dead = 3;
        queue.states = {{"waiting", JobRole::Ready, queue.ready},
                        {"in-progress", JobRole::Processing, queue.processing}};
        state->body = queue;
        break;
    }
    }
    return state;
}

/// Which ones change in a second.
enum class Choice { SameForAnHour, Any };

struct Load
{
    Choice choice = Choice::Any;
    Numbers numbers = Numbers::Wander;
};

/// A deployment of so many primitives that is recorded, in this thread.
class Recorded
{
public:
    Recorded(int primitives, Load load)
        : m_load(load)
        , m_writer({path(), retention(primitives), &clock})
        , m_levels(size_t(primitives))
    {
        for (int i = 0; i < primitives; ++i)
            m_all.push_back(madePrimitive(i));
        m_feed.begin(deployment(), clock.nowMs());
    }

    static RecordedDeployment deployment()
    {
        return {"redis:bench:6379/0", {}, QStringLiteral("bench")};
    }
    QString path() const { return m_folder.filePath(QStringLiteral("history.db")); }
    const Primitive& primitive(int i) const { return *m_all[size_t(i)]; }
    int changing() const { return int(m_all.size()) / 20; }

    /// As a session and its timer have it.
    void second()
    {
        clock.advance(1000);
        const size_t count = m_all.size();
        auto changes = std::make_shared<std::vector<StateChange>>();
        const auto change = [&](size_t i) {
            changes->push_back({Handle(quint32(i)), changed(m_all[i], clock.nowMs(), next(),
                                                            m_load.numbers, m_levels[i])});
        };
        if (m_seconds == 0) {
            for (size_t i = 0; i < count; ++i)
                change(i);
        }
        for (int i = 0; i < changing(); ++i)
            change(m_load.choice == Choice::Any
                       ? next() % count
                       : size_t(m_seconds / 3600 * changing() + i) % count);
        ++m_seconds;
        QElapsedTimer timer;
        timer.start();
        const double before = cpuSeconds();
        m_feed.takeChanges(changes, clock.nowMs());
        m_feed.tick(clock.nowMs());
        m_writer.flush();
        slowestMs = std::max(slowestMs, m_seconds > 1 ? double(timer.nsecsElapsed()) / 1e6 : 0);
        if (m_seconds % 60 == 0)
            m_writer.ageAll();
        cpu += cpuSeconds() - before;
    }

    ManualClock clock{startMs};
    double cpu = 0;       ///< seconds, without making the states up
    double slowestMs = 0; ///< from what happened in a second to its commit; not of the first

private:
    quint32 next() { return m_noise = m_noise * 1664525U + 1013904223U, m_noise >> 8; }

    /// Scales the limits to a part of the primitives.
    static Retention retention(int primitives)
    {
        Retention own;
        own.statesAMinute = own.statesAMinute * primitives / everything;
        return own;
    }

    Load m_load;
    QTemporaryDir m_folder;
    RecordWriter m_writer;
    RecordFeed m_feed{&m_writer};
    std::vector<PrimitivePtr> m_all;
    std::vector<int> m_levels;
    int m_seconds = 0;
    quint32 m_noise = 1;
};

// A fiftieth of all, for some hours.
void measureDay(bench::Report& report, const QString& name, Load load, int hours,
                const std::function<void(Recorded&)>& afterwards = {})
{
    Recorded recorded(everything / scale, load);
    std::vector<double> bytes;
    for (int second = 0; second < hours * 3600; ++second) {
        recorded.second();
        if (second % 3600 == 3599)
            bytes.push_back(double(QFileInfo(recorded.path()).size()));
    }
    const double share = recorded.cpu / (hours * 3600.0) * scale * 100;
    // The first hour is kept as read; each further one adds what it becomes.
    const double anHour = (bytes.back() - bytes[1]) / double(bytes.size() - 2);
    const double aDay = (bytes[1] + 22 * anHour) * scale / 1e9;
    const double changes = double(hours) * 3600 * recorded.changing();
    report.row(name, QString(),
               {{QStringLiteral("CPU, % of a core"), share},
                {QStringLiteral("GB a day"), aDay},
                {QStringLiteral("us a change"), recorded.cpu * 1e6 / changes}});
    report.atMost(name + QStringLiteral(": CPU of a core"), share, 10, QStringLiteral("%"));
    report.atMost(name + QStringLiteral(": size of a day"), aDay, 2, QStringLiteral("GB"));
    if (afterwards)
        afterwards(recorded);
}

void measureReading(bench::Report& report, Recorded& recorded, int hours)
{
    RecordQueries queries(recorded.path());
    if (!queries.open())
        return;
    const QByteArray key = Recorded::deployment().key;
    const qint64 endMs = recorded.clock.nowMs();
    std::vector<double> moments;
    std::vector<double> series;
    for (int i = 0; i < 20; ++i) {
        QElapsedTimer timer;
        timer.start();
        queries.momentAt(key, startMs + (endMs - startMs) / 20 * i);
        moments.push_back(double(timer.nsecsElapsed()) / 1e6);
        timer.start();
        queries.series({key, recorded.primitive(i).id}, "used", startMs, endMs, 2000);
        series.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    report.row(QStringLiteral("a moment of %1 primitives").arg(everything / scale),
               QStringLiteral("ms"),
               {{QStringLiteral("median"), bench::median(moments)},
                {QStringLiteral("slowest"), bench::percentile(moments, 1)}});
    report.row(QStringLiteral("one metric over %1 h").arg(hours), QStringLiteral("ms"),
               {{QStringLiteral("median"), bench::median(series)},
                {QStringLiteral("slowest"), bench::percentile(series, 1)}});
}

// All of them, for some minutes: what has to be done within a second is done once a second.
void measureWhole(bench::Report& report)
{
    constexpr int seconds = 150;
    Recorded recorded(everything, {});
    for (int i = 0; i < seconds; ++i)
        recorded.second();
    const double apartMs = 1000 + recorded.slowestMs;
    report.row(QStringLiteral("100,000 primitives: two commits, at most apart"),
               QStringLiteral("ms"), {{QStringLiteral("longest"), apartMs}});
    report.atMost(QStringLiteral("what a kill loses"), apartMs, 2000, QStringLiteral("ms"));
    RecordQueries queries(recorded.path());
    if (!queries.open())
        return;
    const auto measure = [&](const QString& name, qint64 fromMs, qint64 stepMs,
                             MomentMemory* memory) {
        std::vector<double> moments;
        for (int i = 0; i < 5; ++i) {
            QElapsedTimer timer;
            timer.start();
            const RecordedMoment moment =
                queries.momentAt(Recorded::deployment().key, fromMs + i * stepMs, memory);
            moments.push_back(double(timer.nsecsElapsed()) / 1e6);
            if (moment.states.size() != size_t(everything))
                qFatal("%zu states", moment.states.size());
        }
        report.row(name, QStringLiteral("ms"),
                   {{QStringLiteral("median"), bench::median(moments)},
                    {QStringLiteral("slowest"), bench::percentile(moments, 1)}});
    };
    const qint64 halfMs = startMs + seconds * 500LL;
    MomentMemory memory;
    measure(QStringLiteral("a moment of 100,000 primitives"), startMs + 30'000, 20'000, nullptr);
    queries.momentAt(Recorded::deployment().key, halfMs, &memory);
    measure(QStringLiteral("the next, while it plays"), halfMs, 250, &memory);
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    const int hours = argc > 2 ? std::max(3, QByteArray(argv[2]).toInt()) : 6;
    bench::Report report(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString(),
                         QStringLiteral("recording"));
    measureDay(report, QStringLiteral("100,000 primitives, 5 % a second"), {Choice::SameForAnHour},
               hours, [&](Recorded& recorded) { measureReading(report, recorded, hours); });
    measureDay(report, QStringLiteral("100,000 primitives, any 5 % a second"), {}, hours);
    measureDay(report, QStringLiteral("100,000 primitives, any 5 % a second, to any number"),
               {.numbers = Numbers::Noise}, hours);
    measureWhole(report);
    bench::measureMonth(report);
    return report.save(QString()) ? 0 : 1;
}
