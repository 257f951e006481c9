// SPDX-License-Identifier: GPL-3.0-or-later
// A semaphore, or a lock that several owners may share: a sorted set with a member for each holder.
// The score is the time when it took its place or when its lease ends. A member that is no holder
// may mark the only other one as exclusive.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockfile.h"
#include "backend/libraries/families/locks/lockreading.h"
#include "backend/libraries/families/locks/zsetlock.h"

namespace lk {

namespace {

class HolderSetFile final : public LockFileLayout
{
public:
    explicit HolderSetFile(LayoutFilePtr file)
        : LockFileLayout(std::move(file))
    {
        const LayoutFile& described = this->file();
        m_scores.score = described.setting<QByteArray>("score", "deadline") == "began"
                             ? ZsetScores::Moment::Taken
                             : ZsetScores::Moment::Deadline;
        m_scores.unit = described.keys.front().scores.value_or(TimeUnit::Milliseconds);
        if (described.limit.from == NumberRule::From::Fixed)
            m_scores.limit = described.limit.fixed;
        m_scores.exclusive = described.setting<QByteArray>("exclusive", {});
        m_scores.isLock = !m_scores.exclusive.isEmpty();
        for (const NamePattern& member : described.keys.front().members)
            m_hasPermits |= member.placeholders().contains("permit");
        if (m_hasPermits)
            m_scores.holderOf = [this](const QByteArray& member) { return holderOf(member); };
    }

    ActionList actions() const override
    {
        return {m_hasPermits || m_scores.isLock ? &actions::releaseMembers()
                                                : &actions::releaseMember()};
    }
    std::vector<ConfigField> configFields() const override
    {
        return m_scores.isLock ? std::vector<ConfigField>() : limitField();
    }

protected:
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        return zsetLockReads(primitive.key("lock"));
    }
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        ZsetScores scores = m_scores;
        if (const auto declared = declaredLimit(primitive))
            scores.limit = declared;
        DecodeResult reading;
        reading.state = zsetLockState(replies, scores, context);
        return reading;
    }

private:
    // A holder of several permits has a member for each.
    QByteArray holderOf(const QByteArray& member) const
    {
        for (const NamePattern& pattern : file().keys.front().members) {
            const auto values = pattern.match(member);
            if (values && values->contains("permit"))
                return values->value("holder");
        }
        return member;
    }

    ZsetScores m_scores;
    bool m_hasPermits = false;
};

} // namespace

namespace families {

Family holderSetFamily()
{
    return {"holder-set",
            Kind::Lock,
            {{"lock", {KeyType::ZSet}, true}},
            {{"score", FamilySetting::Shape::Word, {"began", "deadline"}}, {"exclusive"}},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<HolderSetFile>(std::move(file));
            },
            true};
}

} // namespace families

} // namespace lk
