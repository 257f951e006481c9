// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/keyforms.h"

#include "backend/core/possible.h"
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qint64 toleranceMs = 2000;     // tolerance between two reads of the same end
constexpr size_t leastOffered = 2;       // keys of one form required for an offer
constexpr qsizetype leastGrown = 3;      // growing counters required for a proof
constexpr double provenConfidence = 0.6; // likely: never more

bool isSeparator(char c)
{
    return c == ':' || c == '/' || c == '|' || c == '{' || c == '}';
}

bool sameEnd(const std::optional<qint64>& a, const std::optional<qint64>& b)
{
    return a && b && std::abs(*a - *b) <= toleranceMs;
}

} // namespace

QByteArray formOf(const PrimitiveId& id, const QByteArray& key)
{
    const QByteArray& name = id.name;
    struct Part
    {
        qsizetype from;
        qsizetype size;
    };
    std::vector<Part> parts;
    for (qsizetype from = 0, i = 0; i <= name.size(); ++i) {
        if (i < name.size() && !isSeparator(name[i]))
            continue;
        if (i > from)
            parts.push_back({from, i - from});
        from = i + 1;
    }
    const auto whose = [&](const Part& part) {
        return isIdentity(QByteArrayView(name).sliced(part.from, part.size));
    };
    if (parts.size() < 2 || std::all_of(parts.begin(), parts.end(), whose))
        return {};
    const bool isTold = std::any_of(parts.begin(), parts.end(), whose);
    QByteArray form = QByteArray(id.layout) + '\n';
    qsizetype at = 0;
    for (const Part& part : parts) {
        form += name.mid(at, part.from - at);
        const bool left = isTold ? !whose(part) : &part != &parts.back();
        form += left ? name.mid(part.from, part.size) : QByteArrayLiteral("*");
        at = part.from + part.size;
    }
    form += name.mid(at);
    return key.startsWith(name) ? form + key.mid(name.size()) : form + '\n' + key;
}

Classified KeyForms::proven(Classified claim)
{
    using Way = FurtherProof::Way;
    claim.primitive.confidence = provenConfidence;
    claim.primitive.provenBy = claim.further.way == Way::Growth     ? ProvenBy::Growth
                               : claim.further.way == Way::Turnover ? ProvenBy::Turnover
                                                                    : ProvenBy::Siblings;
    return claim;
}

// Compares a key with its last reading.
void KeyForms::follow(Form& form, Member& member, const Probe& probe, FurtherProof::Way way)
{
    const std::optional<qint64> endsMs =
        probe.ttlMs ? std::optional(probe.nowMs + *probe.ttlMs) : std::nullopt;
    const auto number = wholeNumber(probe.head);
    const quint64 value = qHash(probe.head);
    if (way == FurtherProof::Way::Turnover) {
        // Another owner's value: of the same shape, with its own lease.
        if (value != member.value && probe.head.size() == member.length)
            ++member.changes;
        else if (value != member.value)
            form.isOther = true;
    } else if (way == FurtherProof::Way::Growth) {
        const bool ended = member.endsMs && *member.endsMs <= probe.nowMs + toleranceMs;
        if (sameEnd(member.endsMs, endsMs)) {
            form.isOther |= !number || (member.number && *number < *member.number);
            member.changes += number && member.number && *number > *member.number ? 1 : 0;
        } else if (!ended) {
            form.isOther = true; // written again before its end
        }
    }
    member.again = true;
    member.value = value;
    member.length = probe.head.size();
    member.number = number;
    member.endsMs = endsMs;
}

bool KeyForms::isProven(const Form& form, const FurtherProof& proof)
{
    if (form.isOther)
        return false;
    const std::vector<Member>& members = form.members;
    switch (proof.way) {
    case FurtherProof::Way::None:
        return false;
    case FurtherProof::Way::Siblings:
        return members.size() >= proof.least;
    case FurtherProof::Way::Turnover:
        return std::any_of(members.begin(), members.end(),
                           [&](const Member& m) { return m.changes >= proof.least; });
    case FurtherProof::Way::Growth:
        break;
    }
    if (members.size() < proof.least)
        return false;
    const auto again =
        std::count_if(members.begin(), members.end(), [](const Member& m) { return m.again; });
    const auto grown = std::count_if(members.begin(), members.end(),
                                     [](const Member& m) { return m.changes > 0; });
    const bool together = std::all_of(members.begin(), members.end(), [&](const Member& m) {
        return sameEnd(m.endsMs, members.front().endsMs);
    });
    return (again >= proof.least && grown >= leastGrown) || (proof.together && together);
}

// Raises the keys that were noted before; the caller judges the present one.
void KeyForms::raise(Form& form, Standing standing, const QByteArray& but)
{
    if (standing <= form.standing)
        return;
    form.standing = standing;
    for (const Member& member : form.members) {
        if (member.key == but)
            continue;
        if (standing == Standing::Proven)
            m_proven.push_back(proven(member.claim));
        else if (member.claim.primitive.confidence < offeredFrom)
            m_offered.push_back(member.claim);
    }
    if (standing == Standing::Proven) {
        m_unkept |= form.more;
        for (const Member& member : form.members)
            m_watched.remove(hashOf(member.key));
    }
}

KeyForms::Standing KeyForms::note(const Classified& claim, const Probe& probe)
{
    using Way = FurtherProof::Way;
    const FurtherProof& proof = claim.further;
    const bool offered = claim.primitive.confidence >= offeredFrom;
    const Standing least = offered ? Standing::Possible : Standing::Unknown;
    if (proof.way == Way::None)
        return least;
    // A lock is proven by its own turnover, without others of its form.
    const QByteArray name = proof.way == Way::Turnover
                                ? QByteArray(claim.primitive.id.layout) + '\n' + probe.name
                                : formOf(claim.primitive.id, probe.name);
    if (name.isEmpty())
        return least;
    auto it = m_forms.find(name);
    if (it == m_forms.end()) {
        const bool alone = proof.way == Way::Turnover;
        if (m_forms.size() >= mostForms || (alone && m_alone >= mostAlone))
            return least;
        m_alone += alone ? 1 : 0;
        it = m_forms.insert(name, {});
    }
    Form& form = *it;
    const auto member = std::find_if(form.members.begin(), form.members.end(),
                                     [&](const Member& m) { return m.key == probe.name; });
    if (member != form.members.end()) {
        follow(form, *member, probe, proof.way);
    } else if (form.members.size() < mostMembers) {
        Member& made = form.members.emplace_back();
        made.claim = claim;
        made.key = probe.name;
        made.value = qHash(probe.head);
        made.length = probe.head.size();
        made.number = wholeNumber(probe.head);
        if (probe.ttlMs)
            made.endsMs = probe.nowMs + *probe.ttlMs;
    } else {
        form.more = true;
    }
    if (form.standing != Standing::Proven && proof.way != Way::Siblings && !form.isOther &&
        (proof.way == Way::Turnover || form.members.size() >= proof.least)) {
        for (const Member& m : form.members) {
            if (m_watched.size() < mostWatched)
                m_watched.insert(hashOf(m.key));
        }
    }
    if (form.standing == Standing::Proven || isProven(form, proof))
        raise(form, Standing::Proven, probe.name);
    else if (form.members.size() >= leastOffered)
        raise(form, Standing::Possible, probe.name);
    return std::max(least, form.standing);
}

} // namespace lk
