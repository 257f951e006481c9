// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/playback/recordedhistory.h"

#include "backend/core/derived/agedstate.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/past/recordedlife.h"
#include "backend/session/past/timeline.h"
#include "backend/session/playback/playback.h"
#include "backend/session/recording/recordednumbers.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/session.h"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>

namespace lk {

namespace {

constexpr int spanEveryMs = 1000;
constexpr int findEveryMs = 3000;

// The events to step through. Job moves and lock holds are too frequent.
const QSet<EventType> steps{
    EventType::StuckBegan,    EventType::StuckEnded,      EventType::FullBegan,
    EventType::FullEnded,     EventType::PausedBegan,     EventType::PausedEnded,
    EventType::FindingOpened, EventType::FindingClosed,   EventType::Action,
    EventType::AlertFired,    EventType::AlertResolved,   EventType::AlertAcknowledged,
    EventType::AlertSilenced, EventType::SilenceEnded,    EventType::ServerLost,
    EventType::ServerBack,    EventType::ServerRestarted, EventType::Failover,
    EventType::RoleChanged,   EventType::ConfigChanged,   EventType::NodeLost,
    EventType::NodeBack};

const QSet<EventType> ofServer{EventType::ServerLost,      EventType::ServerBack,
                               EventType::ServerRestarted, EventType::Failover,
                               EventType::RoleChanged,     EventType::ConfigChanged,
                               EventType::NodeLost,        EventType::NodeBack};

// Returns the smallest and the largest value of each span, so that peaks stay visible. Gaps stay as
// they are.
std::vector<SeriesPoint> lineOf(const RecordedSeries& series)
{
    std::vector<SeriesPoint> points;
    points.reserve(series.points.size() * 2);
    for (const RecordedPoint& point : series.points) {
        if (point.isGap() || point.smallest == point.largest) {
            points.push_back({point.tMs, point.last});
            continue;
        }
        const bool rises = point.last >= point.mean;
        points.push_back({point.tMs, rises ? point.smallest : point.largest});
        points.push_back({point.tMs + std::max<qint64>(1, series.stepMs / 2),
                          rises ? point.largest : point.smallest});
        if (point.last != points.back().value)
            points.push_back({point.tMs + std::max<qint64>(2, series.stepMs - 1), point.last});
    }
    std::ranges::stable_sort(points, {}, &SeriesPoint::tMs);
    return points;
}

// Puts the marks that are shown as flags first. Changes get the remaining room.
std::vector<TimeMark> marksOf(const std::vector<RecordedEvent>& events,
                              const std::vector<RecordedGap>& gaps, size_t most)
{
    std::vector<TimeMark> marks;
    for (const RecordedGap& gap : gaps)
        marks.push_back({gap.fromMs,
                         gap.toMs,
                         TimeMark::Sort::Gap,
                         false,
                         {},
                         SessionHistory::tr("Not recorded")});
    for (const RecordedEvent& event : events)
        marks.push_back(markOf(event));
    std::ranges::stable_sort(marks, std::greater(), &TimeMark::sort);
    const auto firstGap = std::ranges::find(marks, TimeMark::Sort::Gap, &TimeMark::sort);
    std::rotate(marks.begin(), firstGap, marks.end()); // there are few, and each is wide
    if (marks.size() > most)
        marks.resize(most);
    std::ranges::stable_sort(marks, {}, &TimeMark::tMs);
    return marks;
}

} // namespace

RecordedHistory::RecordedHistory(RecordReader& reader, QString path, QByteArray deployment,
                                 QObject* parent)
    : SessionHistory(parent)
    , m_reader(reader)
    , m_path(std::move(path))
    , m_deployment(std::move(deployment))
{
    m_second.setInterval(spanEveryMs);
    connect(&m_second, &QTimer::timeout, this, &RecordedHistory::askSpan);
    m_second.start();
    askSpan();
}

RecordedHistory::~RecordedHistory() = default;

template<typename Answer>
quint64 RecordedHistory::ask(std::function<Answer(RecordQueries&)> work,
                             std::function<void(quint64, const Answer&)> answer)
{
    const quint64 ticket = ++m_lastTicket;
    QMetaObject::invokeMethod(&m_reader, [reader = &m_reader, self = QPointer(this), ticket,
                                          work = std::move(work), answer = std::move(answer)] {
        auto result = std::make_shared<Answer>();
        reader->ask([&](RecordQueries& queries) { *result = work(queries); });
        // The pointer is only dereferenced in its own thread.
        QMetaObject::invokeMethod(QCoreApplication::instance(), [self, ticket, result, answer] {
            if (self)
                answer(ticket, *result);
        });
    });
    return ticket;
}

void RecordedHistory::askSpan()
{
    if (std::exchange(m_asking, true))
        return;
    using Told = std::pair<RecordedSpan, qint64>;
    ask<Told>([deployment = m_deployment](
                  RecordQueries& q) { return Told(q.span(deployment), q.offsetMs(deployment)); },
              [this](quint64, const Told& told) {
                  const auto& [span, offsetMs] = told;
                  m_asking = false;
                  m_offsetMs = offsetMs;
                  if (m_firstMs == span.firstMs && m_lastMs == span.lastMs)
                      return;
                  m_firstMs = span.firstMs;
                  m_lastMs = span.lastMs;
                  emit spanChanged();
              });
}

Playback* RecordedHistory::makePlayback(qint64 atMs, HandleTable<KeptState> known) const
{
    return new Playback({m_path, m_deployment, atMs, std::move(known)});
}

quint64 RecordedHistory::askSeries(const PrimitiveId& id, const QByteArray& metric, qint64 fromMs,
                                   qint64 toMs, int mostPoints)
{
    return ask<std::vector<SeriesPoint>>(
        [=, rid = RecordedId{m_deployment, id}](RecordQueries& q) {
            const PrimitivePtr primitive = q.primitive(rid);
            const int drift = primitive ? driftOf(primitive->kind, metric) : 0;
            return lineOf(q.series(rid, metric, fromMs, toMs, mostPoints, recordedNumber, drift));
        },
        [this](quint64 ticket, const std::vector<SeriesPoint>& points) {
            emit seriesRead(ticket, points);
        });
}

quint64 RecordedHistory::askHolds(const PrimitiveId& id, qint64 fromMs, qint64 toMs)
{
    return ask<std::vector<Hold>>(
        [=, rid = RecordedId{m_deployment, id}](RecordQueries& q) {
            const std::vector<RecordedHold> holds = q.holds(rid, fromMs, toMs);
            return std::vector<Hold>(holds.begin(), holds.end());
        },
        [this](quint64 ticket, const std::vector<Hold>& holds) { emit holdsRead(ticket, holds); });
}

quint64 RecordedHistory::askMarks(const PrimitiveId& id, qint64 fromMs, qint64 toMs, int most)
{
    return ask<std::vector<TimeMark>>(
        [=, deployment = m_deployment](RecordQueries& q) {
            RecordQueries::EventQuery query;
            query.deployment = deployment;
            query.fromMs = fromMs;
            query.toMs = toMs;
            query.types = steps;
            query.limit = 10 * most;
            query.latest = true;
            if (!(id == PrimitiveId()))
                query.primitive = id;
            std::vector<RecordedEvent> events = q.events(query);
            if (query.primitive) { // server events concern it, too
                query.primitive.reset();
                query.types = ofServer;
                const std::vector<RecordedEvent> server = q.events(query);
                events.insert(events.end(), server.begin(), server.end());
            }
            return marksOf(events, q.gaps(deployment, fromMs, toMs), size_t(most));
        },
        [this](quint64 ticket, const std::vector<TimeMark>& marks) {
            emit marksRead(ticket, marks);
        });
}

quint64 RecordedHistory::askNeighbour(qint64 tMs, bool after)
{
    return ask<std::vector<TimeMark>>(
        [=, deployment = m_deployment](RecordQueries& q) {
            const auto found = after ? q.nextEvent(deployment, tMs, steps)
                                     : q.previousEvent(deployment, tMs, steps);
            std::vector<TimeMark> marks;
            if (!found)
                return marks;
            RecordQueries::EventQuery query;
            query.deployment = deployment;
            query.fromMs = query.toMs = found->tMs;
            query.types = steps;
            for (const RecordedEvent& event : q.events(query))
                marks.push_back(markOf(event));
            std::ranges::stable_sort(marks, std::greater(), &TimeMark::sort);
            return marks;
        },
        [this](quint64 ticket, const std::vector<TimeMark>& marks) {
            emit neighbourRead(ticket, marks);
        });
}

quint64 RecordedHistory::askLife(const Primitive& primitive, qint64 fromMs, qint64 toMs)
{
    return ask<Timeline>(
        [=, rid = RecordedId{m_deployment, recordedIdOf(primitive)}](RecordQueries& q) {
            return lifeOf(readLife(q, rid, fromMs, toMs));
        },
        [this](quint64 ticket, const Timeline& life) { emit lifeRead(ticket, life); });
}

void findHistory(Session& session, RecordReader& reader, const QString& path)
{
    auto* again = new QTimer(&session); // another program may start to record it
    const auto find = [&session, &reader, path, again] {
        if (session.history())
            return again->stop();
        QMetaObject::invokeMethod(&reader, [&reader, path, names = deploymentNames(session.url()),
                                            known = QPointer(&session)] {
            QByteArray found;
            reader.ask([&](RecordQueries& queries) { found = queries.find(names); });
            if (found.isEmpty())
                return;
            // The pointer is only dereferenced in its own thread.
            QMetaObject::invokeMethod(QCoreApplication::instance(), [&reader, path, known, found] {
                if (known && !known->history())
                    known->setHistory(new RecordedHistory(reader, path, found, known));
            });
        });
    };
    QObject::connect(again, &QTimer::timeout, &session, find);
    again->start(findEveryMs);
    find();
}

void keepHistory(Session& session, const SessionRecorder& recorder, RecordReader& reader,
                 const QString& path)
{
    const auto give = [&session, &recorder, &reader, path] {
        const QByteArray& deployment = recorder.status().deployment;
        const auto* known = static_cast<RecordedHistory*>(session.history());
        if (deployment.isEmpty() || (known && known->deployment() == deployment))
            return;
        auto* history = new RecordedHistory(reader, path, deployment, &session);
        const QPointer<SessionHistory> before = session.history();
        session.setHistory(history);
        if (before)
            before->deleteLater();
    };
    QObject::connect(&recorder, &SessionRecorder::statusChanged, &session, give);
    give();
}

} // namespace lk
