// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/alerts/rules/changewindow.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qint64 parts = 32;

} // namespace

ChangeWindow::ChangeWindow(qint64 spanMs)
    : m_spanMs(spanMs)
    , m_partMs(std::max<qint64>(1, spanMs / parts))
{}

void ChangeWindow::add(qint64 tMs, double value)
{
    if (m_parts.empty() || tMs >= m_parts.back().fromMs + m_partMs) {
        // The new part includes the previous value.
        const double before = m_parts.empty() ? value : m_last;
        m_parts.push_back({tMs, std::min(before, value), std::max(before, value)});
    } else {
        Part& part = m_parts.back();
        part.least = std::min(part.least, value);
        part.largest = std::max(part.largest, value);
    }
    m_last = value;
    while (m_parts.size() > 1 && !counts(m_parts.front(), tMs))
        m_parts.pop_front();
}

void ChangeWindow::shiftBack(qint64 byMs)
{
    for (Part& part : m_parts)
        part.fromMs -= byMs;
}

bool ChangeWindow::counts(const Part& part, qint64 nowMs) const
{
    return part.fromMs + m_partMs > nowMs - m_spanMs;
}

double ChangeWindow::risen(qint64 nowMs) const
{
    double least = m_last;
    for (const Part& part : m_parts) {
        if (counts(part, nowMs))
            least = std::min(least, part.least);
    }
    return m_last - least;
}

double ChangeWindow::fallen(qint64 nowMs) const
{
    double largest = m_last;
    for (const Part& part : m_parts) {
        if (counts(part, nowMs))
            largest = std::max(largest, part.largest);
    }
    return m_last - largest;
}

qint64 ChangeWindow::nextChangeMs(qint64 nowMs) const
{
    for (const Part& part : m_parts) {
        if (counts(part, nowMs) && (part.least != m_last || part.largest != m_last))
            return part.fromMs + m_partMs + m_spanMs;
    }
    return 0;
}

} // namespace lk
