// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/keyedqueue.h"

namespace lk {

/// The steps of one read of a KeyedQueue: the commands that follow from the replies so far, and the
/// facts from all of them. Created anew for each step, from all replies.
class KeyedReading
{
public:
    /// The subject of the read: a page of a state's jobs (page), one job (state and id), or the
    /// queue's state (neither).
    struct Want
    {
        const JobQuery* page = nullptr;
        QByteArray state = {};            ///< the state of the job
        QByteArray id = {};               ///< the id of the job
        bool detail = false;              ///< for the queue's state: reads failed jobs, too
        bool ended = false;               ///< with detail: reads jobs that ended well, too
        const JobSample* known = nullptr; ///< ended jobs that need not be read again
    };

    /// A job that was read, and its key.
    struct Entry
    {
        size_t key = 0; ///< index into keys()
        JobRead read;
    };

    /// nowMs: server time; 0 if unknown: TIME is then read as well.
    KeyedReading(const KeyedQueue& queue, const Primitive& primitive, Want want, qint64 nowMs,
                 std::span<const Reply> replies);

    /// The next commands. Empty once everything is read.
    const std::vector<Command>& next() const { return m_next; }
    bool isComplete() const { return m_complete; }

    const QueueSetting& setting() const { return m_setting; }
    const std::vector<JobsKey>& keys() const { return m_keys; }
    /// How many jobs the key holds; empty if unknown.
    std::optional<qint64> count(size_t key) const
    {
        return key < m_counts.size() ? m_counts[key] : std::nullopt;
    }
    /// True if all jobs of the key were read.
    bool isWhole(size_t key) const;
    const std::vector<Entry>& entries() const { return m_entries; }
    /// All listed jobs that ended well, known or not, latest first.
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
    bool takeDetail();
    void dropEnded(std::span<const Reply> pages);
    bool takeSetPage();
    void addEntry(size_t key, QByteArray element, std::optional<double> score);
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
    std::vector<qint64> m_weights; ///< bytes of the key; 0 if not read
    std::vector<std::pair<size_t, Command>> m_pages;
    std::vector<Entry> m_entries;
    std::vector<QByteArray> m_ended;
    std::vector<Command> m_next;
    qint64 m_bytes = 0;
    bool m_complete = false;
};

} // namespace lk
