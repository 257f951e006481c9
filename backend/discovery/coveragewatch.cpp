// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/coveragewatch.h"

#include "backend/redis/topology/askmap.h"

namespace lk {

namespace {

constexpr int everyInfos = 6; // slots rarely move

} // namespace

CoverageWatch::CoverageWatch(Router& router, QObject* parent)
    : QObject(parent)
    , m_router(router)
{
    connect(&m_router, &Router::mapChanged, this, &CoverageWatch::followed);
}

void CoverageWatch::followed()
{
    ClusterCoverage now = coverageOf(m_router);
    if (now == m_coverage)
        return;
    m_coverage = std::move(now);
    emit changed();
}

void CoverageWatch::reset()
{
    m_infos = 0;
    m_ruledOut = false;
}

void CoverageWatch::onInfo(const ServerInfo& info)
{
    if (m_router.map())
        return followed();
    if (m_ruledOut || m_infos++ % everyInfos != 0)
        return;
    if (!info.mayBeClusterNode()) {
        m_ruledOut = true;
        return;
    }
    launch(queryMap(m_router, this), [this, info](const BatchResult& result) {
        if (!result)
            return;
        const ClusterCoverage now = coverageOf(info, *result);
        m_ruledOut = !now.map;
        const bool differs = !(now == m_coverage);
        m_coverage = now;
        if (differs)
            emit changed();
    });
}

} // namespace lk
