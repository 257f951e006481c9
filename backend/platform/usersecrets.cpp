// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/usersecrets.h"

#include <QtGlobal>

#include <cerrno>

#ifdef Q_OS_LINUX
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace lk {

#ifdef Q_OS_LINUX

namespace {

using Serial = long;

constexpr char type[] = "user";

QByteArray fullName(const QByteArray& name)
{
    return "lockkeeper:" + name;
}

// Only who possesses a key may read it: one in the user's keyring those whose session links that,
// which a service's or a login without PAM does not. This thread's own keyring then does.
void possessUserKeyring()
{
    ::syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_THREAD_KEYRING);
}

Serial find(const QByteArray& name)
{
    possessUserKeyring();
    return ::syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, type,
                     fullName(name).constData(), 0);
}

} // namespace

std::optional<QByteArray> userSecret(const QByteArray& name)
{
    const Serial key = find(name);
    if (key < 0)
        return std::nullopt;
    QByteArray secret(1024, '\0');
    const long size = ::syscall(SYS_keyctl, KEYCTL_READ, key, secret.data(), secret.size());
    if (size < 0 || size > secret.size())
        return std::nullopt;
    secret.truncate(size);
    return secret;
}

int keepUserSecret(const QByteArray& name, const QByteArray& secret, int seconds)
{
    possessUserKeyring();
    const Serial key = ::syscall(SYS_add_key, type, fullName(name).constData(), secret.constData(),
                                 size_t(secret.size()), KEY_SPEC_USER_KEYRING);
    if (key < 0)
        return errno;
    return ::syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds) < 0 ? errno : 0;
}

void prolongUserSecret(const QByteArray& name, int seconds)
{
    if (const Serial key = find(name); key >= 0)
        ::syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds);
}

void forgetUserSecret(const QByteArray& name)
{
    if (const Serial key = find(name); key >= 0)
        ::syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
}

#else

std::optional<QByteArray> userSecret(const QByteArray&)
{
    return std::nullopt;
}

int keepUserSecret(const QByteArray&, const QByteArray&, int)
{
    return ENOSYS;
}

void prolongUserSecret(const QByteArray&, int) {}

void forgetUserSecret(const QByteArray&) {}

#endif

} // namespace lk
