// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/seriesstore.h"

namespace lk {

namespace {

// The approximate size of the list node and the hash node beside the series.
constexpr size_t entryOverhead = 64;
// The most metrics of one kind; the largest list in backend/text/columns has five.
constexpr int mostMetrics = 16;

} // namespace

void SeriesStore::append(Handle handle, int metric, qint64 tMs, double value, qint64 silenceMs)
{
    const Key key{handle, metric};
    auto found = m_byKey.find(key);
    if (found == m_byKey.end()) {
        m_order.push_front({key, {}});
        found = m_byKey.emplace(key, m_order.begin()).first;
        m_bytes += m_order.front().series.memory() + entryOverhead;
    }
    Series& series = touch(found->second);
    const size_t before = series.memory();
    series.append(tMs, value, silenceMs);
    m_bytes += series.memory() - before;
    evict();
}

template<typename Change> void SeriesStore::change(const Key& key, Change change)
{
    const auto found = m_byKey.find(key);
    if (found == m_byKey.end())
        return;
    Series& series = found->second->series;
    const size_t before = series.memory();
    change(series);
    m_bytes += series.memory() - before;
}

void SeriesStore::absent(Handle handle, int metric, qint64 tMs, qint64 silenceMs)
{
    change({handle, metric}, [&](Series& series) { series.absent(tMs, silenceMs); });
}

void SeriesStore::gap(Handle handle, int metric, qint64 tMs)
{
    change({handle, metric}, [&](Series& series) { series.gap(tMs); });
}

const Series* SeriesStore::find(Handle handle, int metric)
{
    const auto found = m_byKey.find({handle, metric});
    return found == m_byKey.end() ? nullptr : &touch(found->second);
}

void SeriesStore::forget(Handle handle)
{
    for (int metric = 0; metric < mostMetrics; ++metric) {
        const auto found = m_byKey.find({handle, metric});
        if (found == m_byKey.end())
            continue;
        m_bytes -= found->second->series.memory() + entryOverhead;
        m_order.erase(found->second);
        m_byKey.erase(found);
    }
}

void SeriesStore::gapAll(qint64 tMs)
{
    m_bytes = 0;
    for (Entry& entry : m_order) {
        entry.series.gap(tMs);
        m_bytes += entry.series.memory() + entryOverhead;
    }
}

Series& SeriesStore::touch(Order::iterator entry)
{
    m_order.splice(m_order.begin(), m_order, entry);
    return entry->series;
}

void SeriesStore::evict()
{
    // The latest used series stays, however small the limit is.
    while (m_bytes > m_capBytes && m_order.size() > 1) {
        const Entry& oldest = m_order.back();
        m_bytes -= oldest.series.memory() + entryOverhead;
        m_byKey.erase(oldest.key);
        m_order.pop_back();
    }
}

} // namespace lk
