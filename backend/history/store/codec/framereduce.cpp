// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/framereduce.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lk {

namespace {

/// Reduces the points of one metric, step by step.
class Stepper
{
public:
    Stepper(std::vector<SampleFrame>& out, const SampleFrame& of, qint64 stepMs)
        : m_out(out)
        , m_of(of)
        , m_stepMs(stepMs)
    {}

    void add(const RecordedPoint& p)
    {
        const qint64 step = p.tMs / m_stepMs * m_stepMs;
        if (!m_open || step != m_stepStart)
            begin(step);
        advance(p.tMs);
        m_gap.reset();
        if (p.isGap()) {
            m_gap = p;
            m_gap->tMs = step + (p.tMs - step) / gapUnit() * gapUnit();
            m_value = m_last = p.last;
            return;
        }
        m_isRead = true;
        if (std::isnan(m_point.last)) {
            m_point.smallest = p.smallest;
            m_point.largest = p.largest;
        }
        m_point.smallest = std::min(m_point.smallest, p.smallest);
        m_point.largest = std::max(m_point.largest, p.largest);
        m_point.last = p.last;
        // A point that covers a span counts by its mean until the next one begins.
        m_value = p.mean;
        m_last = p.last;
    }
    void end()
    {
        if (!m_open)
            return;
        advance(m_stepStart + m_stepMs);
        if (m_isRead) { // else it is as it was before the gap
            m_point.mean = m_coveredMs > 0 ? m_area / double(m_coveredMs) : m_point.last;
            m_out.push_back({m_of.primitive, m_of.metric, m_point});
        }
        if (m_gap)
            m_out.push_back({m_of.primitive, m_of.metric, *m_gap});
        m_gap.reset();
        m_open = false;
    }

private:
    void begin(qint64 step)
    {
        const bool before = m_open;
        end();
        m_open = true;
        m_isRead = false;
        m_stepStart = m_atMs = step;
        m_area = 0;
        m_coveredMs = 0;
        m_point = {step, nan(), nan(), nan(), nan()};
        if (before)
            m_value = m_last;       // a step's mean is its own
        if (!std::isnan(m_value)) { // as it was when the step began
            m_value = m_last;
            m_point.smallest = m_point.largest = m_point.last = m_last;
        }
    }
    void advance(qint64 toMs)
    {
        if (!std::isnan(m_value) && toMs > m_atMs) {
            m_area += m_value * double(toMs - m_atMs);
            m_coveredMs += toMs - m_atMs;
        }
        m_atMs = std::max(m_atMs, toMs);
    }
    // If a step ends without a number, the begin of the gap is stored to a tenth of the step. Exact
    // moments would take up half the space of a metric with frequent gaps.
    qint64 gapUnit() const { return std::max<qint64>(m_stepMs / 10, 1); }
    static double nan() { return std::numeric_limits<double>::quiet_NaN(); }

    std::vector<SampleFrame>& m_out;
    SampleFrame m_of;
    qint64 m_stepMs;
    qint64 m_stepStart = 0;
    qint64 m_atMs = 0;
    qint64 m_coveredMs = 0;
    double m_area = 0;
    double m_value = nan(); ///< from m_atMs on
    double m_last = nan();
    RecordedPoint m_point;
    std::optional<RecordedPoint> m_gap; ///< the gap with which the step ends
    bool m_open = false;
    bool m_isRead = false; ///< a number was read in this step
};

} // namespace

qint64 stepFor(std::span<const StateFrame> frames, qint64 stepMs, size_t most)
{
    constexpr qint64 times[] = {1, 3, 6, 12, 30};
    const auto left = [&](qint64 ms) {
        size_t count = frames.empty() ? 0 : 1;
        for (size_t i = 1; i < frames.size(); ++i)
            count += frames[i].primitive != frames[i - 1].primitive ||
                     frames[i].tMs / ms != frames[i - 1].tMs / ms;
        return count;
    };
    for (const qint64 factor : times) {
        if (left(stepMs * factor) <= most)
            return stepMs * factor;
    }
    return stepMs * std::ranges::max(times);
}

std::vector<StateFrame> reduced(std::vector<StateFrame> frames, qint64 stepMs)
{
    std::vector<StateFrame> kept;
    for (StateFrame& frame : frames) {
        if (!kept.empty() && kept.back().primitive == frame.primitive &&
            kept.back().tMs / stepMs == frame.tMs / stepMs)
            kept.back() = std::move(frame);
        else
            kept.push_back(std::move(frame));
    }
    return kept;
}

std::vector<SampleFrame> reduced(const std::vector<SampleFrame>& frames, qint64 stepMs)
{
    std::vector<SampleFrame> kept;
    for (size_t at = 0; at < frames.size();) {
        Stepper stepper(kept, frames[at], stepMs);
        const SampleFrame& of = frames[at];
        for (; at < frames.size() && frames[at].primitive == of.primitive &&
               frames[at].metric == of.metric;
             ++at)
            stepper.add(frames[at].point);
        stepper.end();
    }
    return kept;
}

} // namespace lk
