// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"

#include <QHash>
#include <QSet>

namespace lk {

/// Proves keys by one another and by what becomes of them, where none proves itself: several that
/// differ in nothing but whom they are for, counters that only grow, a value that is taken and
/// released again and again. Bounded: what comes later is left as it is. No I/O; used by one
/// thread.
class KeyForms
{
public:
    /// How sure a form, and with it each of its keys, is.
    enum class Standing : quint8 {
        Unknown,  ///< too little to offer it
        Possible, ///< to be offered
        Proven,   ///< likely to be one
    };

    /// Takes in what a probe says of a key that is no more than possible.
    Standing note(const Classified& claim, const Probe& probe);

    /// Keys that were noted before and that a later one has proven, or made worth an offer. Each is
    /// returned once, a proven one as likely.
    std::vector<Classified> takeProven() { return std::exchange(m_proven, {}); }
    std::vector<Classified> takeOffered() { return std::exchange(m_offered, {}); }
    /// True once after a form was proven of which not all keys are kept: they are to be read again.
    bool takeUnkept() { return std::exchange(m_unkept, false); }

    /// Whether what becomes of that key may prove something: it is to be read in each scan.
    bool isWatched(const QByteArray& key) const
    {
        return !m_watched.isEmpty() && m_watched.contains(hashOf(key));
    }

    /// Turns a claim that its form proves into a likely one.
    static Classified proven(Classified claim);

    static constexpr qsizetype mostForms = 5'000;
    static constexpr qsizetype mostAlone = 2'000; ///< of these that are of one key
    static constexpr size_t mostMembers = 16;     ///< of a form that are kept
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
        bool again = false; ///< it was read more than once
        int changes = 0;    ///< values of one shape that followed one another, growth of a number
    };
    struct Form
    {
        std::vector<Member> members;
        bool more = false;    ///< than are kept
        bool isOther = false; ///< what one of them did is against it
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

/// The form that keys share if they differ only in whom they are for: the key with an asterisk for
/// each part of the primitive's name that tells who it is, else for the last. Empty where that is
/// all of the name.
QByteArray formOf(const PrimitiveId& id, const QByteArray& key);

} // namespace lk
