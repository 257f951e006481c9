// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/keyspacescan.h"

#include "backend/discovery/scan/keyspaceslice.h"
#include "backend/redis/othersload.h"
#include "backend/redis/server/serverinfo.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <numeric>

namespace lk {

namespace {

constexpr qint64 namesBytes = 4 * 1024 * 1024; // approximate limit on the names of one SCAN
constexpr qint64 commandsForName = 3;          // for most types: its type, its content, its TTL
constexpr qint64 countEveryMs = 5000;
constexpr double busyPerSecond = 2000; // commands for others
constexpr int sizeEveryCalls = 100;    // DBSIZE is sent once per so many calls of SCAN

} // namespace

KeyspaceScan::KeyspaceScan(Link& connection, const Classifier& classifier, const Clock& local,
                           Options options, QObject* parent)
    : QObject(parent)
    , m_connection(connection)
    , m_classifier(classifier)
    , m_local(local)
    , m_options(std::move(options))
    , m_pacer(local)
    , m_alone(connection, this)
{
    connect(&m_alone, &LoneProbes::failed, this, &KeyspaceScan::fail);
}

// Discards everything in flight.
void KeyspaceScan::drop()
{
    ++m_run;
    m_alone.clear();
    m_unjudged.clear();
    m_awaited = 0;
    m_isCounting = false;
}

void KeyspaceScan::begin()
{
    drop();
    m_cursor = QByteArrayLiteral("0");
    m_unasked.clear();
    m_underWay = 0;
    m_running = true;
    m_cursorDone = false;
    m_scanAsked = false;
    m_endless = false;
    m_scanRetries = 0;
    m_count = m_options.count;
    m_scanCalls = 0;
    m_end.start();
    m_length.start();
    m_countedMs.reset();
    m_busy = false;
    m_pacer.start();
}

void KeyspaceScan::start()
{
    begin();
    scanNext();
}

void KeyspaceScan::start(std::vector<QByteArray> names)
{
    begin();
    m_cursorDone = true;
    ++m_underWay;
    auto slice = std::make_shared<Slice>();
    slice->run = m_run;
    slice->result->names = qint64(names.size());
    slice->names = std::move(names);
    askTypes(slice);
}

void KeyspaceScan::stop()
{
    drop();
    m_running = false;
}

void KeyspaceScan::setHeld(bool held)
{
    if (std::exchange(m_held, held) && !held && m_running)
        continueOrFinish();
}

void KeyspaceScan::probe(std::vector<QByteArray> names)
{
    auto slice = std::make_shared<Slice>();
    slice->run = m_run;
    slice->result->outside = true;
    slice->names = std::move(names);
    askTypes(slice);
}

int KeyspaceScan::slicesAllowed() const
{
    return m_pacer.bounds().longestUs > 0 ? 1 : m_options.slicesUnderWay;
}

// Counts now and then, if the result matters. Nothing else is sent meanwhile.
bool KeyspaceScan::countsOthers()
{
    if (m_isCounting)
        return true;
    const qint64 nowMs = m_local.nowMs();
    if (!m_mayCount || !m_options.bounds || m_options.bounds(true) == m_options.bounds(false) ||
        (m_countedMs && nowMs - *m_countedMs < countEveryMs))
        return false;
    if (m_underWay > 0) // the last of them continues here
        return true;
    m_isCounting = true;
    launch(countOthers(m_connection, m_options.countOthersMs, this),
           [this, run = m_run](std::optional<double> perSecond) {
               if (run != m_run)
                   return;
               m_isCounting = false;
               m_mayCount = perSecond.has_value(); // a denied INFO is not sent, and logged, twice
               m_countedMs = m_local.nowMs();
               m_busy = perSecond.value_or(0) >= busyPerSecond;
               scanNext();
           });
    return true;
}

void KeyspaceScan::scanNext()
{
    if (m_alone.isActive())
        return m_alone.later([this] { scanNext(); });
    if (m_held || m_scanAsked || (m_cursorDone && m_unasked.empty()) || countsOthers())
        return;
    m_pacer.setBounds(m_options.bounds ? m_options.bounds(m_busy) : ScanBounds());
    if (m_underWay >= slicesAllowed())
        return;
    if (!m_unasked.empty()) {
        ++m_underWay;
        auto slice = std::make_shared<Slice>();
        slice->run = m_run;
        return askSome(slice);
    }
    m_scanAsked = true;
    ++m_underWay;
    const double longestUs = m_pacer.bounds().longestUs;
    const int count = longestUs > 0 ? m_length.names(longestUs, m_count) : m_count;
    Command scan{"SCAN", m_cursor, "COUNT", QByteArray::number(count)};
    if (!m_options.match.isEmpty())
        scan << "MATCH" << m_options.match;
    std::vector<Command> batch{scan};
    if (m_scanCalls++ % sizeEveryCalls == 0)
        batch.push_back(Command{QByteArrayLiteral("DBSIZE")});
    // A slice with a time limit waits once, before it begins, for all of its commands. Each further
    // wait would wake this thread and disturb other programs on the machine.
    const qint64 ahead = longestUs > 0 ? commandsForName * count : 0;
    paced(qint64(batch.size()) + ahead, [this, batch, ahead] {
        m_pacer.prepay(ahead);
        QElapsedTimer since;
        since.start();
        ++m_awaited;
        m_connection.send(batch, this, [this, run = m_run, since](const BatchResult& result) {
            if (run != m_run)
                return;
            answered();
            m_length.answered(1, double(since.nsecsElapsed()) / 1e3);
            onScanned(result);
        });
    });
}

// Runs the step when it is due, unless the run has ended.
void KeyspaceScan::paced(qint64 commands, std::function<void()> step)
{
    const int waitMs = m_pacer.waitMs(commands);
    if (waitMs <= 0)
        return step();
    QTimer::singleShot(waitMs, Qt::PreciseTimer, this, [this, run = m_run, step = std::move(step)] {
        if (run == m_run)
            step();
    });
}

// Measures how long the server takes. The handler is not called in a later run.
void KeyspaceScan::sendTimed(const SlicePtr& slice, const std::vector<Command>& batch,
                             BatchHandler handler)
{
    QElapsedTimer since;
    since.start();
    const auto commands = qint64(batch.size());
    slice->result->commands += commands;
    ++m_awaited;
    m_connection.send(
        batch, this,
        [this, slice, since, commands, handler = std::move(handler)](BatchResult result) {
            if (slice->run != m_run)
                return;
            answered();
            const double tookUs = double(since.nsecsElapsed()) / 1e3;
            m_length.answered(commands, tookUs);
            slice->result->tookMs += m_length.withoutWay(tookUs) / 1e3;
            if (result)
                emit advanced();
            handler(std::move(result));
        });
}

void KeyspaceScan::onScanned(const BatchResult& result)
{
    m_scanAsked = false;
    if (!result && result.error().code == ErrorCode::ReplyTooLarge && ++m_scanRetries < 4) {
        --m_underWay;
        m_count = std::max(1, m_count / 8); // names of megabytes
        m_alone.begin();
        return scanNext();
    }
    if (!result)
        return fail(result.error());
    m_scanRetries = 0;
    const Reply& reply = result->front();
    if (reply.isError())
        return fail(errorFromReply(reply.text));
    if (reply.items.size() != 2 || !reply.items[1].isArray())
        return fail({ErrorCode::Protocol, QStringLiteral("SCAN")});

    m_cursor = reply.items[0].text;
    const auto names = qint64(reply.items[1].items.size());
    const qint64 bytes =
        std::accumulate(reply.items[1].items.begin(), reply.items[1].items.end(), qint64(1),
                        [](qint64 sum, const Reply& name) { return sum + name.text.size(); });
    const qint64 fitting = namesBytes * std::max<qint64>(1, names) / bytes;
    m_count = int(std::clamp<qint64>(fitting, 1, std::min(m_options.count, 2 * m_count)));
    if (result->size() > 1 && (*result)[1].isInteger())
        m_end.setExpected(std::max<qint64>(0, (*result)[1].integer));
    if (names > 0)
        emit advanced();
    m_endless = m_end.isEndless(m_cursor, names);
    m_cursorDone = m_cursor == "0" || m_endless;
    auto slice = std::make_shared<Slice>();
    slice->run = m_run;
    slice->result->commands = qint64(result->size());
    slice->result->expected = m_end.expected();
    slice->result->names = names;
    slice->names.reserve(size_t(names));
    using Knowledge = Options::Knowledge;
    for (const Reply& name : reply.items[1].items) {
        if (m_options.seen && m_options.seen(name.text)) {
            --slice->result->names;
            continue;
        }
        const Knowledge known =
            m_options.knowledge ? m_options.knowledge(name.text) : Knowledge::New;
        if (known == Knowledge::New)
            slice->names.push_back(name.text);
        else if (known == Knowledge::Denied)
            ++slice->result->denied;
        else if (known == Knowledge::Member)
            ++slice->result->members;
        else
            ++slice->result->known;
    }
    if (slice->names.empty())
        return deliver(slice); // the next slice comes after its pause, although nothing was probed
    m_unasked = std::move(slice->names);
    askSome(slice);
}

// Probes as many of the names from SCAN as one slice may contain. The counts of all go with the
// first slice.
void KeyspaceScan::askSome(const SlicePtr& slice)
{
    const double longestUs = m_pacer.bounds().longestUs;
    const auto left = qint64(m_unasked.size());
    const qint64 slices = longestUs > 0 ? m_length.slices(longestUs, left) : 1;
    const auto some = m_unasked.end() - ptrdiff_t((left + slices - 1) / slices);
    slice->names.assign(std::make_move_iterator(some), std::make_move_iterator(m_unasked.end()));
    m_unasked.erase(some, m_unasked.end());
    askTypes(slice);
    scanNext(); // before this slice is read, if several may be in flight
}

void KeyspaceScan::deliver(const SlicePtr& slice)
{
    if (slice->result->outside) {
        emit sliceReady(slice->result);
        return;
    }
    --m_underWay;
    QPointer<KeyspaceScan> self(this);
    const quint64 run = m_run;
    emit sliceReady(slice->result);
    if (!self || run != m_run || !m_running)
        return;
    const int pauseMs = m_pacer.pauseMs(slice->result->tookMs, slice->result->names);
    if (pauseMs <= 0)
        return continueOrFinish();
    QTimer::singleShot(pauseMs, this, [this, run] {
        if (run == m_run && m_running)
            continueOrFinish();
    });
}

void KeyspaceScan::continueOrFinish()
{
    if (!m_cursorDone || !m_unasked.empty()) {
        scanNext();
    } else if (m_underWay == 0) {
        m_running = false;
        emit finished();
    }
}

void KeyspaceScan::fail(const Error& error)
{
    drop(); // including the names of probe()
    if (std::exchange(m_running, false))
        emit failed(error);
}

} // namespace lk
