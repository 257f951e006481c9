// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"

#include <QHash>
#include <QSet>

namespace lk {

/// Proves keys that do not prove themselves, by similar keys and by their changes: several keys
/// that differ only in their subject, counters that only grow, a value that is acquired and
/// released repeatedly. Bounded: later keys are ignored. No I/O; used by one thread.
class KeyForms
{
public:
    /// The certainty of a form and of each of its keys.
    enum class Standing : quint8 {
        Unknown,  ///< too little to offer it
        Possible, ///< to be offered
        Proven,   ///< likely to be one
    };

    /// Takes the probe of a key that is merely possible.
    Standing note(const Classified& claim, const Probe& probe);

    /// Return keys noted earlier that a later key has proven, or made worth an offer. Each is
    /// returned once, a proven one as likely.
    std::vector<Classified> takeProven() { return std::exchange(m_proven, {}); }
    std::vector<Classified> takeOffered() { return std::exchange(m_offered, {}); }
    /// True once after a form was proven whose keys are not all kept. They have to be read again.
    bool takeUnkept() { return std::exchange(m_unkept, false); }

    /// Whether changes of that key may prove something. Each scan reads such a key.
    bool isWatched(const QByteArray& key) const
    {
        return !m_watched.isEmpty() && m_watched.contains(hashOf(key));
    }

    /// Turns a claim that its form proves into a likely one.
    static Classified proven(Classified claim);

    static constexpr qsizetype mostForms = 5'000;
    static constexpr qsizetype mostAlone = 2'000; ///< limit on forms with one key
    static constexpr size_t mostMembers = 16;     ///< limit on the kept members of a form
    static constexpr qsizetype mostWatched = 4'000;

private:
    struct Member
    {
        Classified claim;
        QByteArray key;
        quint64 value = 0; ///< a hash
        qsizetype length = 0;
        std::optional<qint64> number;
        std::optional<qint64> endsMs;
        bool again = false; ///< read more than once
        int changes = 0;    ///< successive values of one shape, or growth of a number
    };
    struct Form
    {
        std::vector<Member> members;
        bool more = false;    ///< there are more members than are kept
        bool isOther = false; ///< a member's change disproves the form
        Standing standing = Standing::Unknown;
    };

    static size_t hashOf(const QByteArray& key) { return qHash(key, size_t(0x666f726d)); }
    static void follow(Form& form, Member& member, const Probe& probe, FurtherProof::Way way);
    static bool isProven(const Form& form, const FurtherProof& proof);
    void raise(Form& form, Standing standing, const QByteArray& but);

    QHash<QByteArray, Form> m_forms;
    QSet<size_t> m_watched;
    std::vector<Classified> m_proven;
    std::vector<Classified> m_offered;
    qsizetype m_alone = 0; ///< forms of one key
    bool m_unkept = false;
};

/// The form that keys share if they differ only in their subject: the key with an asterisk for each
/// part of the primitive's name that identifies the subject, else for the last part. Empty if that
/// is the whole name.
QByteArray formOf(const PrimitiveId& id, const QByteArray& key);

} // namespace lk
