// SPDX-License-Identifier: GPL-3.0-or-later
// A lock with one owner at a time: a string with its owner's token, or a hash with a field that
// contains the owner or is named after it.
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/locks/hashlock.h"
#include "backend/libraries/families/locks/lockactions.h"
#include "backend/libraries/families/locks/lockfile.h"
#include "backend/libraries/families/locks/ownerlock.h"

namespace lk {

namespace {

class OwnerLockFile final : public LockFileLayout
{
public:
    explicit OwnerLockFile(LayoutFilePtr file)
        : LockFileLayout(std::move(file))
    {
        if (const auto field = this->file().setting<QByteArray>("owner_field", {});
            !field.isEmpty())
            m_ownerFields.push_back(field);
        m_outlivesWork = this->file().setting("minimum_time", false);
    }

    ActionList actions() const override
    {
        if (mainType() == KeyType::Hash)
            return {&actions::releaseHash()};
        return {&actions::releaseLock(), &actions::setLockTtl()};
    }

protected:
    bool readsAsProbed() const override { return mainType() == KeyType::String; }
    std::vector<Command> reads(const Primitive& primitive, const ReadContext&) const override
    {
        const QByteArray key = primitive.key("lock");
        return mainType() == KeyType::Hash ? hashLockReads(key) : ownerLockReads(key);
    }
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const override
    {
        DecodeResult reading;
        reading.state = mainType() == KeyType::Hash ? hashLockState(replies, m_ownerFields, context)
                                                    : ownerLockState(primitive.key("lock"), replies,
                                                                     context, m_outlivesWork);
        return reading;
    }

private:
    std::vector<QByteArray> m_ownerFields; ///< none: the only field is named after the owner
    bool m_outlivesWork = false;
};

} // namespace

namespace families {

Family ownerLockFamily()
{
    using Shape = FamilySetting::Shape;
    return {"owner-lock",
            Kind::Lock,
            {{"lock", {KeyType::String, KeyType::Hash}, true}},
            {{"owner_field", Shape::Text}, {"minimum_time", Shape::Flag}},
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<OwnerLockFile>(std::move(file));
            },
            true};
}

} // namespace families

} // namespace lk
