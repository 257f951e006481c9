// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlocks.h"

#include "backend/session/redlock/redlockreader.h"
#include "backend/session/session.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"

#include <QThread>

namespace lk {

namespace {

RedlockReader::Options readerOptions()
{
    RedlockReader::Options result;
    result.timeoutMs = 3000;
    result.stays = true;
    result.slices = 8;
    result.mostNames = 2000;
    return result;
}

} // namespace

Redlocks::Redlocks(Session& session)
    : QObject(&session)
    , m_session(session)
    , m_ioThread(*session.setup().ioThread)
    , m_clock(*session.setup().clock)
    , m_files(session.setup().actionFiles)
{
    connect(&session.polling(), &SessionPolling::pausedChanged, this, &Redlocks::pace);
}

Redlocks::~Redlocks()
{
    endAll();
}

Redlocks* Redlocks::of(const QObject& session)
{
    return session.findChild<Redlocks*>(QString(), Qt::FindDirectChildrenOnly);
}

void Redlocks::endReading()
{
    for (RedlockReader* reader : std::exchange(m_readers, {})) {
        reader->disconnect(this);
        reader->deleteLater();
    }
    m_paceMs = 0;
}

void Redlocks::endAll()
{
    endReading();
    for (RedlockRelease* release : std::exchange(m_releases, {}))
        release->deleteLater();
}

void Redlocks::setGroups(std::vector<RedlockGroup> groups)
{
    endAll();
    m_groups = std::move(groups);
    m_reports.assign(m_groups.size(), nullptr);
    m_findings.assign(m_groups.size(), {});
    QByteArrayList names;
    for (const RedlockGroup& group : m_groups)
        names << group.match;
    m_session.setRedlockNames(names);
    pace();
    publishFindings();
    emit groupsChanged();
}

void Redlocks::publishFindings()
{
    if (!m_isFollowed)
        return;
    std::vector<Finding> all;
    for (const std::vector<Finding>& its : m_findings)
        all.insert(all.end(), its.begin(), its.end());
    m_session.findings().setRedlock(all);
}

void Redlocks::follow()
{
    m_isFollowed = true;
    publishFindings();
    pace();
}

void Redlocks::watch(int intervalMs)
{
    m_watchMs = intervalMs;
    pace();
}

void Redlocks::pace()
{
    const int unwatchedMs = m_isFollowed ? backgroundMs : 0;
    const int ms = m_session.polling().isPaused() ? 0 : m_watchMs > 0 ? m_watchMs : unwatchedMs;
    if (ms == 0)
        return endReading();
    if (std::exchange(m_paceMs, ms) == ms)
        return;
    for (size_t i = m_readers.size(); i < m_groups.size(); ++i) {
        auto* reader = new RedlockReader(m_groups[i], readerOptions(), m_clock);
        reader->moveToThread(&m_ioThread);
        m_readers.push_back(reader);
        connect(
            reader, &RedlockReader::finished, this,
            [this, i, reader](const RedlockReportPtr& report, const std::vector<Finding>& lasting) {
                if (i >= m_readers.size() || m_readers[i] != reader)
                    return; // of a reader that has ended since
                m_reports[i] = report;
                m_findings[i] = lasting;
                publishFindings();
                emit changed(int(i));
            });
    }
    for (RedlockReader* reader : m_readers)
        QMetaObject::invokeMethod(reader, [reader, ms] { reader->repeat(ms); });
}

void Redlocks::readNow()
{
    for (RedlockReader* reader : m_readers)
        QMetaObject::invokeMethod(reader, &RedlockReader::read);
}

RedlockRelease* Redlocks::makeRelease(size_t group)
{
    auto* release = new RedlockRelease(m_groups[group], m_clock, m_files);
    release->moveToThread(&m_ioThread);
    connect(release, &RedlockRelease::finished, this, &Redlocks::readNow);
    m_releases.push_back(release);
    return release;
}

void Redlocks::discard(RedlockRelease* release)
{
    if (std::erase(m_releases, release) > 0)
        release->deleteLater();
}

} // namespace lk
