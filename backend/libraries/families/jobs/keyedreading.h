// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/keyedqueue.h"

namespace lk {

/// The steps of one read of a KeyedQueue: which commands the replies so far call for, and what all
/// of them told. Made anew for each step, from all replies.
class KeyedReading
{
public:
    /// What is wanted. Of a state summary neither; a page of one state's jobs; one job.
    struct Want
    {
        const JobQuery* page = nullptr;
        QByteArray state = {};            ///< of that job
        QByteArray id = {};               ///< of that job
        bool detail = false;              ///< of a state: failed jobs, too
        bool ended = false;               ///< of a state in detail: those that ended well, too
        const JobSample* known = nullptr; ///< which of those need not be read again
    };

    /// A job that was read, and where.
    struct Entry
    {
        size_t key = 0; ///< in keys()
        JobRead read;
    };

    /// nowMs: 0 where only the server's own TIME tells, which is asked for then.
    KeyedReading(const KeyedQueue& queue, const Primitive& primitive, Want want, qint64 nowMs,
                 std::span<const Reply> replies);

    /// What to ask next; nothing once everything is read.
    const std::vector<Command>& next() const { return m_next; }
    bool isComplete() const { return m_complete; }

    const QueueSetting& setting() const { return m_setting; }
    const std::vector<JobsKey>& keys() const { return m_keys; }
    /// How many jobs are in that key; empty: unknown.
    std::optional<qint64> count(size_t key) const
    {
        return key < m_counts.size() ? m_counts[key] : std::nullopt;
    }
    /// Whether all jobs of a key that was read were read.
    bool isWhole(size_t key) const;
    const std::vector<Entry>& entries() const { return m_entries; }
    /// All jobs that ended well and were listed, known or not, the last first.
    const std::vector<QByteArray>& ended() const { return m_ended; }
    qint64 bytes() const { return m_bytes; }

private:
    void run();
    bool take(std::vector<Command> commands, std::span<const Reply>& replies);
    bool takeSetting();
    bool takeCounts();
    bool takePages();
    bool takeJobs();
    bool takeValues();
    void dropEnded(std::span<const Reply> pages);
    void addEntries(size_t key, const Command& page, const Reply& reply);
    qint64 wanted(size_t key) const;
    JobQuery queryOf(size_t key) const;
    bool isElementTheJob(const JobsKey& key) const;

    const KeyedQueue& m_queue;
    const Primitive& m_primitive;
    Want m_want;
    std::span<const Reply> m_replies;
    size_t m_at = 0;
    QueueSetting m_setting;
    std::vector<JobsKey> m_keys;
    std::vector<std::optional<qint64>> m_counts;
    std::vector<qint64> m_weights; ///< bytes of the key; 0: not asked for
    std::vector<std::pair<size_t, Command>> m_pages;
    std::vector<Entry> m_entries;
    std::vector<QByteArray> m_ended;
    std::vector<Command> m_next;
    qint64 m_bytes = 0;
    bool m_complete = false;
};

} // namespace lk
